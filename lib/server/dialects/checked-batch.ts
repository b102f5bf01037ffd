import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { JsonText } from "@/lib/shared/json/text"
import type { Refusal } from "@/questions/check-fields"

/** A batch that passed the checks of its shape: the same questions about several states. */
export interface CheckedBatch extends Omit<CheckedRequest, "state"> {
  /** Each state, or why it is refused. One refused state does not refuse the others. */
  states: (JsonText | Refusal)[]
  /** How many bytes the states have with the questions of each: what single requests would have. */
  bytesOneByOne: number
}
