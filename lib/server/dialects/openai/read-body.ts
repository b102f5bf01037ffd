import {
  type AnswerFacts,
  type AnswerForm,
  type CheckedRequest,
  modelOf,
  type Steps,
} from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import type { FieldPath } from "@/lib/shared/json/field-path"
import type { JsonNode } from "@/lib/shared/json/request-index"
import type { JsonText } from "@/lib/shared/json/text"
import { checkNames, isQuestionName, refuse } from "@/questions/check-fields"
import { CEILINGS } from "@/questions/limits"
import type { RawAnswer } from "@/questions/question-types"
import { allOf, fieldsOf, isShort, optionalString, requireJoinable, stringIn, wholeOf } from "./nodes"
import { contentOf } from "./read-content"
import { stateOfInput } from "./read-input"
import { OPENAI_TYPES, type Translated } from "./read-question"

const TYPES = Object.keys(OPENAI_TYPES) as (keyof typeof OPENAI_TYPES)[]
const FIELDS = ["type", "name", "instructions", "choices", "levels"] as const
const MAX_NAME = 256

interface Asked extends Translated {
  type: string
  /** The client's name as it was sent; null for a question without one. */
  name: JsonText | null
}

function askedOf(node: JsonNode, position: number): Asked {
  const path: FieldPath = ["questions", position]
  const fields = fieldsOf(node, path)
  checkNames(node, FIELDS, path)
  const given = stringIn(fields, "type", path).text()
  const type = TYPES.find((one) => one === given)
  if (!type) refuse([...path, "type"], `The type of a question is ${TYPES.join(", ")}.`)
  const name = optionalString(fields, "name", path)
  if (name && !isShort(name, MAX_NAME)) refuse([...path, "name"], `A name has at most ${MAX_NAME} characters.`)
  const at = [...path, "instructions"]
  const instructions = fields.get("instructions") ?? refuse(at, "This field is required.")
  return { type, name, ...OPENAI_TYPES[type](fields, wholeOf(contentOf(instructions, at, at)), path) }
}

function* questionsOf(node: JsonNode): Steps<Asked[]> {
  const max = CEILINGS.questions
  if (node.kind !== "array") refuse(["questions"], "The questions must be a list.")
  if (node.size < 1 || node.size > max) refuse(["questions"], `A request has 1 to ${max} questions.`)
  requireJoinable(node, ["questions"])
  const all: Asked[] = []
  for (const [i, child] of allOf(node, ["questions"]).entries()) {
    all.push(askedOf(child, i))
    yield
  }
  return all
}

/** Returns names for engines: the client's, or own ones where one is missing, repeated or not allowed by the contract. */
function namesFor(asked: Asked[]): string[] {
  const names = asked.map(({ name }) => name?.text() ?? "")
  const areUsable = names.every(isQuestionName) && new Set(names).size === names.length
  return areUsable ? names : names.map((_, i) => `q${i + 1}`)
}

/** Returns the five numbers that OpenAI's SDK requires. Nothing is cached, and nothing reasons. */
const usageOf = (input: number, output: number): string =>
  `{"input_tokens":${input},"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"output_tokens":${output},"output_tokens_details":{"reasoning_tokens":0},"total_tokens":${input + output}}`

const formOf = (asked: Asked[]): AnswerForm => ({
  writeBody(_request: CheckedRequest, answers: RawAnswer[], { modelId, inputTokens }: AnswerFacts) {
    if (answers.length !== asked.length) throw new ServiceError("upstream_error")
    const written = asked.map(({ type, name, write }, i) => {
      const answer = answers[i]
      if (!answer) throw new ServiceError("upstream_error")
      return `{"type":"${type}","name":${name?.json() ?? "null"},${write(answer)}}`
    })
    return `{"model":${JSON.stringify(modelId)},"answers":[${written.join(",")}],"usage":${usageOf(inputTokens, answers.length)}}`
  },
  criteriaPath: (position) => ["questions", position, asked[position]?.listed ?? "type"],
})

const OWN_BODY =
  "This endpoint takes `input` and a list of questions. `POST /v1/decisions` takes `state` and named ones."

/**
 * Translates a body of OpenAI's Decisions API. Fields beside `model`, `input` and `questions` are ignored. Engines get names of this
 * service for questions and choices that the contract would refuse. Yields between questions and items of the input. Throws `Refused`.
 */
export function* readOpenAi(root: JsonNode): Steps<CheckedRequest> {
  if (root.kind !== "object") refuse([], "The body must be a JSON object.")
  const fields = fieldsOf(root, [])
  if (fields.has("state")) refuse(["state"], OWN_BODY)
  const required = (name: string) => fields.get(name) ?? refuse([name], "This field is required.")
  const [model, input, listed] = [required("model"), required("input"), required("questions")]
  const modelName = modelOf(model)
  const state = yield* stateOfInput(input)
  const asked = yield* questionsOf(listed)
  const names = namesFor(asked)
  const questions = asked.map(({ question }, i) => ({ ...question, name: names[i] ?? "" }))
  return { model: modelName, state, questions, form: formOf(asked) }
}
