import { JsonText, jsonString } from "@/lib/shared/json/text"
import type { CheckedQuestion } from "@/questions/question-types"
import { linesOf } from "./object-states"
import { isSameAnswer } from "./question-reading"
import type { Reply } from "./response"

/** How plain objects are sent as a state: as objects, or as the text of their JSON. Pinned with the id. */
export type StateForm = "objects" | "text"

const objectOf = (source: string) => new JsonText("object", Buffer.from(source))
const OBJECT = objectOf('{"second":{"paid":true},"first":"twice"}')
const SORTED = objectOf('{"first":"twice","second":{"paid":true}}')
const LINES = jsonString(linesOf(OBJECT))
const JSON_TEXT = jsonString(OBJECT.json())
const SORTED_TEXT = jsonString(SORTED.json())

export const ABOUT_STATE: CheckedQuestion = {
  type: "noul",
  name: "order",
  instructions: jsonString("Is the first field of the state named first?"),
  criteria: null,
}

/** A tenth of what is allowed between call shapes, in log-odds: these calls have the same shape. */
const SAME = 4e-3

/** Asks `ABOUT_STATE` about an object or a text. Null when the engine refuses the request. */
export type AskAbout = (state: JsonText) => Promise<Reply | null>

/**
 * Determines whether an engine renders objects as its model was trained. kev reads them as `key: value` lines, so an
 * object and its lines are the same prompt. lev and clef sort their keys, so both orders are the same prompt. Equal answers
 * prove that only if the model has other answers about the same difference in a text. Otherwise states are texts.
 */
export async function findStateForm(ask: AskAbout): Promise<StateForm> {
  const object = await ask(OBJECT)
  if (!object) return "text"
  const isSame = (one: Reply, other: Reply | null) =>
    other !== null && other.inputTokens === one.inputTokens && isSameAnswer([one], other, SAME)
  const [lines, sorted] = [await ask(LINES), await ask(SORTED)]
  const [isLines, isSorted] = [isSame(object, lines), isSame(object, sorted)]
  if (!isLines && !isSorted) return "text"
  const text = await ask(JSON_TEXT)
  if (!text) return "text"
  const differs = (other: Reply | null) => other !== null && !isSameAnswer([text], other, SAME)
  if (isLines && differs(lines)) return "objects"
  return isSorted && differs(await ask(SORTED_TEXT)) ? "objects" : "text"
}
