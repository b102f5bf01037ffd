import type { CheckedQuestion, CheckedRequest, ChoiceQuestion, NoulQuestion } from "../../decisions/check"
import type { JsonText } from "../../json/text"
import { asJsonString } from "./json-string"
import { INSTRUCTIONS } from "./prompt-template"

/** True for a question that has only one possible answer, which no engine is asked for. */
export const isCertain = (question: CheckedQuestion): boolean =>
  (question.type === "choice" && question.options.length === 1) ||
  (question.type === "score" && question.levels.length === 1)

/** Empty texts are valid for us and treated as null. */
const filled = (text: JsonText | null): string | null => (text && !text.isEmpty() ? text.json() : null)

function noulCriteria({ criteria }: NoulQuestion): string | null {
  const members = [
    ["true", criteria && filled(criteria.yes)],
    ["false", criteria && filled(criteria.no)],
  ].flatMap(([name, json]) => (json ? [`"${name}":${json}`] : []))
  return members.length ? `{${members.join(",")}}` : null
}

const choiceCriteria = ({ options }: ChoiceQuestion): string =>
  `{${options.map(({ name, description }) => `${JSON.stringify(name)}:${filled(description) ?? "null"}`).join(",")}}`

function questionText(question: CheckedQuestion): string {
  const instructions = filled(question.instructions) ?? JSON.stringify(INSTRUCTIONS[question.type])
  const criteria =
    question.type === "noul"
      ? noulCriteria(question)
      : question.type === "choice"
        ? choiceCriteria(question)
        : `[${question.levels.map((level) => level.json()).join(",")}]`
  return `{"type":"${question.type}","instructions":${instructions}${criteria ? `,"criteria":${criteria}` : ""}}`
}

/**
 * The body for `POST /v1/systemone`: source texts travel as they were sent, names in request order. A state that is no
 * string is sent as one string of its JSON, because engines read chat messages or nesting out of it otherwise. The state is
 * copied as bytes: it may have 28 MiB, and a text of it would be in memory a second time.
 */
export function requestBody(model: string, request: CheckedRequest): Buffer {
  const { state } = request
  const questions = request.questions
    .filter((question) => !isCertain(question))
    .map((question) => `${JSON.stringify(question.name)}:${questionText(question)}`)
  return Buffer.concat([
    Buffer.from(`{"model":${JSON.stringify(model)},"state":`),
    asJsonString(state),
    Buffer.from(`,"questions":{${questions.join(",")}}}`),
  ])
}
