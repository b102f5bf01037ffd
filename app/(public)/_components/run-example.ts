import { ALIAS } from "@/lib/shared/models/model-ids"
import { checkForm } from "@/lib/shared/request-form/check-form"
import { EXAMPLES, exampleForm } from "@/lib/shared/request-form/examples"
import { readOutcome } from "@/lib/shared/runs/read-outcome"
import { postDecision } from "@/lib/shared/runs/send-decision"
import type { PreparedAnswer } from "@/questions/question-types"

/** What came of a run. A refusal's message says what to do. */
export type Tried =
  | { kind: "answered"; model: string; answers: PreparedAnswer[] }
  | { kind: "refused"; message: string }

/** spec.md advises clients to wait this long. */
const TIMEOUT_MS = 130_000

const UNREACHABLE = "The service could not be reached. Check your connection and run the example again."

/** Runs an example with another state, without an account. */
export async function runExample(id: string, stateText: string): Promise<Tried> {
  const example = EXAMPLES.find((one) => one.id === id)
  if (!example) throw new Error(`there is no example ${id}`)
  const checked = checkForm(exampleForm(ALIAS, { ...example, state: { ...example.state, text: stateText } }))
  if (!checked.ok) return { kind: "refused", message: checked.errors[0].message }
  const { requestText, request } = checked
  try {
    const response = await postDecision("/try/decisions", requestText, "", AbortSignal.timeout(TIMEOUT_MS))
    const { status, headers } = response
    const responseText = await response.text()
    const outcome = readOutcome({ requestText, request, status, headers: [...headers], responseText, latencyMs: 0 }, [])
    if (outcome.kind === "refused") return { kind: "refused", message: outcome.refusal.message }
    return { kind: "answered", model: outcome.model, answers: outcome.answers }
  } catch {
    return { kind: "refused", message: UNREACHABLE }
  }
}
