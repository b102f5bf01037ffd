import type { JsonText } from "@/lib/shared/json/text"
import type { CheckedQuestion } from "@/questions/question-types"
import type { RequestParts } from "./request-parts"

/** Writes a text as one JSON string: a string as it was sent, any other value as a string of its source. */
const stringOf = (value: JsonText): string => (value.kind === "string" ? value.json() : JSON.stringify(value.json()))

const jsonPart = (json: string): string => `{"type":"input_json","data":${json}}`

/** Writes the descriptions of yes and no, for which OpenAI's form has no fields. */
const criteriaLines = (question: CheckedQuestion): string[] =>
  question.type === "noul" && question.criteria
    ? [
        ...(question.criteria.yes ? [`If true: ${question.criteria.yes.text()}`] : []),
        ...(question.criteria.no ? [`If false: ${question.criteria.no.text()}`] : []),
      ]
    : []

/** Writes the instructions, which OpenAI's form requires, with the descriptions of yes and no behind them. */
function instructionsOf(question: CheckedQuestion): string {
  const { instructions } = question
  const lines = criteriaLines(question)
  if (!instructions) return JSON.stringify(lines.join("\n"))
  if (instructions.kind === "string")
    return lines.length ? JSON.stringify([instructions.text(), "", ...lines].join("\n")) : instructions.json()
  const text = lines.length ? `,{"type":"input_text","text":${JSON.stringify(lines.join("\n"))}}` : ""
  return `[${jsonPart(instructions.json())}${text}]`
}

const described = (name: string, description: JsonText | null): string =>
  `{ "value": ${JSON.stringify(name)}${description ? `, "description": ${stringOf(description)}` : ""} }`

/** Writes a list with a line for each entry. */
const listOf = (entries: string[]): string => `[\n    ${entries.join(",\n    ")}\n  ]`

/** Writes the fields beside name and instructions. */
function typeOf(question: CheckedQuestion): string {
  if (question.type === "choice")
    return `"type": "choice", "choices": ${listOf(question.options.map(({ name, description }) => described(name, description)))}`
  if (question.type === "score")
    return `"type": "score", "levels": ${listOf(question.levels.map((level) => `{ "label": ${stringOf(level)} }`))}`
  return `"type": "predicate"`
}

const questionOf = (question: CheckedQuestion): string =>
  `  { "name": ${JSON.stringify(question.name)}, "instructions": ${instructionsOf(question)}, ${typeOf(question)} }`

/** Returns a request in the form of OpenAI's Decisions API. Its `stateJson` is the input. */
export function openAiParts(parts: RequestParts): RequestParts {
  const { state, model, questions } = parts.request
  const stateJson =
    state.kind === "string" ? parts.stateJson : `[{"role":"user","content":[${jsonPart(parts.stateJson)}]}]`
  const questionsJson = `[\n${questions.map(questionOf).join(",\n")}\n]`
  const requestText = `{\n"model": ${JSON.stringify(model)},\n"input": ${stateJson},\n"questions": ${questionsJson}\n}`
  return { ...parts, stateJson, questionsJson, requestText }
}
