import { type Asked, askedOf, isObject, Refusal, textOf } from "./decision-model"
import { type Kind, optionTokens } from "./llama-prompts"

export interface CheckSettings {
  kind: Kind
  maxOptions: number
  batchTokens: number
  /** The variant of llama.cpp that refuses with 422, refuses empty instructions and deep JSON, and counts a shared prefix once. */
  isStrictVariant: boolean
}

const MAX_DEPTH = 32

/** Returns the refusal of an invalid request: 422 in the strict variant, otherwise 400. */
export function invalid(message: string, { isStrictVariant }: Pick<CheckSettings, "isStrictVariant">): Refusal {
  return isStrictVariant
    ? new Refusal(422, "unprocessable_entity_error", message)
    : new Refusal(400, "invalid_request_error", message)
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0]
  for (const mark of text.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/[[\]{}]/g) ?? []) {
    depth += mark === "[" || mark === "{" ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

const hasOverflow = (value: unknown): boolean =>
  typeof value === "number"
    ? !Number.isFinite(value)
    : typeof value === "object" && value !== null && Object.values(value).some(hasOverflow)

/**
 * Parses a body as llama.cpp's JSON library does. Malformed text and numbers outside a double's range are 500 there, and 400
 * in the strict variant, which also refuses deeply nested JSON with 422. A body that is no object counts as empty.
 */
export function parseBody(text: string, settings: CheckSettings): Record<string, unknown> {
  const unreadable = (message: string) =>
    settings.isStrictVariant
      ? new Refusal(400, "invalid_request_error", message)
      : new Refusal(500, "server_error", message)
  if (settings.isStrictVariant && depthOf(text) > MAX_DEPTH) throw invalid("the request is nested too deeply", settings)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw unreadable(
      "[json.exception.parse_error.101] parse error at line 1, column 1: syntax error while parsing value",
    )
  }
  if (hasOverflow(body)) throw unreadable("[json.exception.out_of_range.406] number overflow parsing '1e400'")
  return isObject(body) ? body : {}
}

const isEmpty = (value: unknown): boolean => ["", "{}", "[]"].includes(textOf(value))

function checkForm(question: Record<string, unknown>): string | null {
  const { type, criteria } = question
  if (type !== "noul" && type !== "choice" && type !== "score") return '"type" must be one of: choice, score, noul'
  if (type === "choice" && (!isObject(criteria) || !Object.keys(criteria).length))
    return '"criteria" must be a non-empty object'
  if (type === "score" && (!Array.isArray(criteria) || criteria.length < 2 || criteria.length > 10))
    return '"criteria" must be an array of 2 to 10 levels'
  if (type === "noul" && criteria != null && !isObject(criteria)) return '"criteria" must be an object'
  return null
}

/** Checks one question. Throws a `Refusal`, or returns what the model is asked. */
export function checked(name: string, question: unknown, settings: CheckSettings): Asked {
  const { kind, maxOptions, batchTokens, isStrictVariant } = settings
  const refuse = (message: string) => invalid(`questions.${name}: ${message}`, settings)
  if (!isObject(question)) throw refuse("must be an object")
  const { instructions } = question
  if (instructions == null || (isStrictVariant && isEmpty(instructions)))
    throw refuse('"instructions" must be provided')
  const problem = checkForm(question)
  if (problem) throw refuse(problem)
  const asked = askedOf(name, question)
  const count = asked.names.length
  if (count > maxOptions && isStrictVariant) throw refuse(`${count} options, at most ${maxOptions} are supported`)
  if (count > maxOptions) throw refuse(`too many options (${count}), this model supports at most ${maxOptions}`)
  if (kind === "kev" && asked.type === "choice" && optionTokens(kind, question) > batchTokens)
    throw new Refusal(400, "exceed_batch_size_error", "the options of a question must fit in one batch")
  return asked
}
