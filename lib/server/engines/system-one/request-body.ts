import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { JsonText } from "@/lib/shared/json/text"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"
import { joinParts, type WirePart, type WriteText } from "@/questions/wire"
import type { Profile } from "./profile"
import { WireBody } from "./wire-body"

/**
 * Names how questions are written for an engine: the default instructions and criteria of `questions/`. Part of what a
 * pinned id means: a change of any such text needs a new name and a new id.
 */
export const PROMPT_TEMPLATE = "system-one-1"

/** Longer strings are not checked for being blank. */
const MAX_BLANK_BYTES = 1_024

const isBlank = (text: JsonText): boolean =>
  text.isEmpty() || (text.kind === "string" && text.source.length <= MAX_BLANK_BYTES && text.text().trim() === "")

/** Empty texts are valid in the API and sent as missing. Strict engines accept only strings, and no blank ones. */
const textWriter =
  (isStrict: boolean): WriteText =>
  (text) => {
    if (!text || (isStrict ? isBlank(text) : text.isEmpty())) return null
    return { text, isQuoted: isStrict }
  }

function questionParts(question: CheckedQuestion, write: WriteText): WirePart[] {
  const type = typeOf(question)
  const instructions = write(question.instructions) ?? JSON.stringify(type.defaultInstructions)
  const criteria = type.writeCriteria(question, write)
  return [
    `"${question.name}":{"type":"${question.type}","instructions":`,
    instructions,
    ...(criteria.length > 0 ? [',"criteria":', ...criteria] : []),
    "}",
  ]
}

/** A state that is not a string is sent as one string of its JSON: engines would read chat messages or nesting from it. */
function stateParts(state: JsonText, isStrict: boolean): WirePart[] {
  // A strict engine refuses a blank state. Its JSON has the same meaning and is not blank.
  if (isStrict && state.kind === "string" && isBlank(state)) return [JSON.stringify(state.json())]
  return [{ text: state, isQuoted: true }]
}

/** Builds the body of `POST /v1/systemone` for some of a request's questions. Client texts travel as sent, names in order. */
export function requestBody(
  model: string,
  { state, questions }: Pick<CheckedRequest, "state" | "questions">,
  { isStrict }: Pick<Profile, "isStrict">,
): WireBody {
  const write = textWriter(isStrict)
  return new WireBody([
    `{"model":${JSON.stringify(model)},"state":`,
    ...stateParts(state, isStrict),
    ',"questions":{',
    ...joinParts(questions.map((question) => questionParts(question, write))),
    "}}",
  ])
}
