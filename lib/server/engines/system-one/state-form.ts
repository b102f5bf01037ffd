import { JsonText } from "@/lib/shared/json/text"
import type { CheckedQuestion } from "@/questions/question-types"
import { linesOf } from "./object-states"
import { isSameAnswer } from "./reads-apart"
import type { Reply } from "./response"

/** How plain objects are sent as a state: as objects, or as the text of their JSON. Pinned with the id. */
export type StateForm = "objects" | "text"

const objectOf = (source: string) => new JsonText("object", Buffer.from(source))
const OBJECT = objectOf('{"second":{"paid":true},"first":"twice"}')
const SORTED = objectOf('{"first":"twice","second":{"paid":true}}')
const LINES = new JsonText("string", Buffer.from(JSON.stringify(linesOf(OBJECT))))

export const ABOUT_STATE: CheckedQuestion = {
  type: "noul",
  name: "order",
  instructions: new JsonText("string", Buffer.from('"Is the first field of the state named first?"')),
  criteria: null,
}

/** A tenth of what is allowed between call shapes: these calls have the same shape. */
const SAME = 1e-3

/** Asks `ABOUT_STATE` about an object or a text. Null when the engine refuses the request. */
export type AskAbout = (state: JsonText) => Promise<Reply | null>

/**
 * Determines whether an engine renders objects as its model was trained. kev reads them as `key: value` lines, so an
 * object and its lines are the same prompt. lev and clef sort their keys, so both orders are the same prompt.
 */
export async function findStateForm(ask: AskAbout): Promise<StateForm> {
  const [object, lines, sorted] = [await ask(OBJECT), await ask(LINES), await ask(SORTED)]
  if (!object) return "text"
  const isSame = (other: Reply | null) =>
    other !== null && other.inputTokens === object.inputTokens && isSameAnswer([object], other, SAME)
  return isSame(lines) || isSame(sorted) ? "objects" : "text"
}
