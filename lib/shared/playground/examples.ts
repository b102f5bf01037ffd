import { AGENT_STEP } from "./examples/agent-step"
import type { Example } from "./examples/example"
import { INVOICE } from "./examples/invoice"
import { MODERATION } from "./examples/moderation"
import { SALES_LEAD } from "./examples/sales-lead"
import { SUPPORT_TICKET } from "./examples/support-ticket"
import type { PlaygroundForm } from "./schema"

/** Requests from everyday work, the first of which the playground opens with. */
export const EXAMPLES: readonly Example[] = [SUPPORT_TICKET, MODERATION, SALES_LEAD, INVOICE, AGENT_STEP]

/** The form that an example fills, spending as the account's Playground key. */
export const exampleForm = (model: string, example: Example = SUPPORT_TICKET): PlaygroundForm =>
  structuredClone({ model, keyId: "", state: example.state, questions: example.questions })
