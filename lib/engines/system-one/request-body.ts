import type {
  CheckedQuestion,
  CheckedRequest,
  ChoiceQuestion,
  NoulQuestion,
  ScoreQuestion,
} from "../../decisions/check"
import type { JsonText } from "../../json/text"
import { INSTRUCTIONS } from "./prompt-template"
import { type Part, WireBody } from "./wire-body"

/** True for a question that has only one possible answer, which no engine is asked for. */
export const isCertain = (question: CheckedQuestion): boolean =>
  (question.type === "choice" && question.options.length === 1) ||
  (question.type === "score" && question.levels.length === 1)

const raw = (text: JsonText): Part => ({ text, isQuoted: false })

/** Empty texts are valid for us and treated as null. */
const filled = (text: JsonText | null): Part | null => (text && !text.isEmpty() ? raw(text) : null)

/** Lists of parts with commas between them. */
const joined = (lists: Part[][]): Part[] => lists.flatMap((list, i) => (i === 0 ? list : [",", ...list]))

function noulCriteria({ criteria }: NoulQuestion): Part[] {
  const yes = criteria && filled(criteria.yes)
  const no = criteria && filled(criteria.no)
  const members = joined([...(yes ? [['"true":', yes]] : []), ...(no ? [['"false":', no]] : [])])
  return members.length ? [',"criteria":{', ...members, "}"] : []
}

const choiceCriteria = ({ options }: ChoiceQuestion): Part[] => [
  ',"criteria":{',
  ...joined(options.map(({ name, description }) => [`${JSON.stringify(name)}:`, filled(description) ?? "null"])),
  "}",
]

const scoreCriteria = ({ levels }: ScoreQuestion): Part[] => [
  ',"criteria":[',
  ...joined(levels.map((level) => [raw(level)])),
  "]",
]

function criteriaOf(question: CheckedQuestion): Part[] {
  if (question.type === "noul") return noulCriteria(question)
  return question.type === "choice" ? choiceCriteria(question) : scoreCriteria(question)
}

function questionParts(question: CheckedQuestion): Part[] {
  const { name, type } = question
  const instructions = filled(question.instructions) ?? JSON.stringify(INSTRUCTIONS[type])
  return [`"${name}":{"type":"${type}","instructions":`, instructions, ...criteriaOf(question), "}"]
}

/**
 * The body for `POST /v1/systemone`: source texts travel as they were sent, names in request order. A state that is no
 * string is sent as one string of its JSON, because engines read chat messages or nesting out of it otherwise.
 */
export function requestBody(model: string, request: CheckedRequest): WireBody {
  const questions = request.questions.filter((question) => !isCertain(question)).map(questionParts)
  return new WireBody([
    `{"model":${JSON.stringify(model)},"state":`,
    { text: request.state, isQuoted: true },
    ',"questions":{',
    ...joined(questions),
    "}}",
  ])
}
