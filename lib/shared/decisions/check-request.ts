import { countOf } from "@/lib/shared/format"
import { type FieldPath, paramOf } from "@/lib/shared/json/field-path"
import { JsonNode } from "@/lib/shared/json/request-index"
import { type ScanFault, scan } from "@/lib/shared/json/scan"
import type { JsonText } from "@/lib/shared/json/text"
import type { Pico } from "@/lib/shared/money"
import {
  checkAll,
  checkEach,
  checkNames,
  criteriaPath,
  isQuestionName,
  membersOf,
  type Refusal,
  Refused,
  refuse,
} from "@/questions/check-fields"
import { CEILINGS, type ShapeLimits } from "@/questions/limits"
import { type CheckedQuestion, checkQuestion, questionTexts, type RawAnswer, typeOf } from "@/questions/question-types"

/** A request that passed step 3: its shape and the global ceilings. Questions are in request order. */
export interface CheckedRequest {
  model: string
  state: JsonText
  questions: CheckedQuestion[]
  /** The client's names of the questions, where those differ from the names that engines get. */
  clientNames?: string[]
  /** How its 200 is written, where not as the contract says. */
  form?: AnswerForm
}

/** What a 200 may say besides the answers. */
export interface AnswerFacts {
  /** The value of `x-request-id`, `req_…`. */
  requestId: string
  /** The name of this service. */
  provider: string
  /** The pinned model that answered. */
  modelId: string
  inputTokens: number
  /** What was charged. Zero for an answer that was computed again. */
  costPico: Pico
}

/** How the clients of another API read answers. */
export interface AnswerForm {
  /** Returns the body of the 200 as JSON text. Throws `upstream_error` when the answers do not fit the questions. */
  writeBody(request: CheckedRequest, answers: RawAnswer[], facts: AnswerFacts): string
  /** Returns the path of what a question offers as answers, by the question's position. That of the contract unless given. */
  criteriaPath?(position: number): FieldPath
}

/** What a request's check found. `param` is the path of the invalid field as text. */
export type CheckResult<Request = CheckedRequest> =
  | { ok: true; request: Request }
  | ({ ok: false; param: string } & Refusal)

/**
 * Performs step 3 of spec.md's order of checks and reports the first fault. The body comes first: strict JSON, no repeated name,
 * an object, no unknown field, the required fields, then the value of each. Then come the questions in request order, each by
 * name, object, unknown fields, `type`, `instructions` and `criteria`.
 */
export const checkRequest = (body: Uint8Array): CheckResult => checkBody(body, requestOf)

/** The same for a body of another form, whose fields `read` checks. */
export function checkBody<Request>(body: Uint8Array, read: ReadBody<Request>): CheckResult<Request> {
  const bytes = new Uint8Array(body.buffer, body.byteOffset, body.length)
  const scanned = scan(bytes)
  return scanned.ok ? checkIndex(bytes, scanned.nodes, read) : scanRefusal(scanned.fault, scanned.path)
}

/** A check of many parts, which yields between them. */
export type Steps<Result> = Generator<void, Result>

/** Checks the fields of a scanned body, at once or in steps. Throws `Refused`. */
export type ReadBody<Request = CheckedRequest> = (root: JsonNode) => Request | Steps<Request>

/** Returns whether a check is made in steps. */
export const isSteps = <Result>(read: Result | Steps<Result>): read is Steps<Result> =>
  typeof read === "object" && read !== null && Symbol.iterator in read

/** Makes all steps of a check at once. */
function atOnce<Result>(read: Result | Steps<Result>): Result {
  if (!isSteps(read)) return read
  for (;;) {
    const step = read.next()
    if (step.done) return step.value
  }
}

const FAULTS: Record<ScanFault, string> = {
  grammar: "The body is not valid JSON.",
  utf8: "The body is not valid UTF-8.",
  surrogate: "A string in the body contains an unpaired surrogate.",
  depth: "The body nests objects and arrays more than 512 levels deep.",
  duplicate: "An object has two members with the same name.",
}

/** Returns the refusal of a body that did not pass the scanner. */
export const scanRefusal = (fault: ScanFault, path: FieldPath): { ok: false; param: string } & Refusal => ({
  ok: false,
  param: paramOf(path),
  path,
  message: FAULTS[fault],
})

/** Checks a scanned body by its index. The request's texts are views of `body` where the body has no white space. */
function checkIndex<Request>(body: Uint8Array, nodes: Int32Array, read: ReadBody<Request>): CheckResult<Request> {
  try {
    return { ok: true, request: atOnce(read(new JsonNode(body, nodes))) }
  } catch (error) {
    return refusalOf(error)
  }
}

/** Returns a thrown refusal as a result. Throws anything else again. */
export function refusalOf(error: unknown): { ok: false; param: string } & Refusal {
  if (error instanceof Refused) return { ok: false, param: paramOf(error.refusal.path), ...error.refusal }
  throw error
}

/**
 * Returns why a scanned body is refused: all that is wrong in it, in the order of checks, up to `MAX_REFUSALS`. With `limits`, that
 * includes what a model does not accept in a valid body.
 */
export function listRefusals(body: Uint8Array, nodes: Int32Array, limits?: ShapeLimits): Refusal[] {
  try {
    const request = requestOf(new JsonNode(body, nodes))
    return limits ? exceededLimits(request, limits) : []
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // A missing field is found where it is required and where its value is checked.
    return [...new Map(error.refusals.map((each) => [`${paramOf(each.path)} ${each.message}`, each])).values()]
  }
}

const FIELDS = ["model", "state", "questions"] as const
const MAX_FIELD_NAME = 16

/** OpenAI's Decisions API has the same path and another body. */
const OPENAI_BODY =
  "This endpoint takes `state` and named `questions`. Send the `input` and the list of questions of OpenAI's Decisions API to `POST /openai/v1/decisions`."

/** Refuses a body of OpenAI's dialect with a message that names the difference. */
function refuseOpenAi(root: JsonNode): void {
  const nameOf = (member: JsonNode) => member.name(MAX_FIELD_NAME)
  const members = root.children()
  const unknown = members.find((member) => FIELDS.every((field) => field !== nameOf(member)))
  if (unknown && nameOf(unknown) === "input" && members.every((member) => nameOf(member) !== "state"))
    refuse(["input"], OPENAI_BODY, "openai")
}

/** Reads a body of the contract. Throws `Refused`. */
export function requestOf(root: JsonNode): CheckedRequest {
  if (root.kind !== "object") refuse([], "The body must be a JSON object.")
  refuseOpenAi(root)
  const members = membersOf(root, FIELDS)
  const required = (field: (typeof FIELDS)[number]) => members[field] ?? refuse([field], "This field is required.")
  const [, , model, state, questions] = checkAll(
    () => checkNames(root, FIELDS, []),
    () => checkEach(FIELDS, required),
    () => modelOf(required("model")),
    () => stateOf(required("state")),
    () => questionsOf(required("questions")),
  )
  return { model, state, questions }
}

/** Returns a model name. Throws `Refused` for anything but a string with a character. */
export function modelOf(node: JsonNode): string {
  const text = node.kind === "string" ? node.text() : null
  if (!text || text.isEmpty()) refuse(["model"], "The model must be a string with at least one character.")
  return text.text()
}

/** Returns a state that may be empty. Throws `Refused` for a number, a boolean or null. */
export function anyStateOf(node: JsonNode): JsonText {
  return node.text() ?? refuse(["state"], "The state must be a string, an object or an array.")
}

function stateOf(node: JsonNode): JsonText {
  const text = anyStateOf(node)
  if (text.isEmpty()) refuse(["state"], "The state must not be empty.")
  return text
}

/** Returns the members of `questions`. Throws `Refused` for another value, and for a wrong number of questions. */
export function questionNodes(node: JsonNode): JsonNode[] {
  const max = CEILINGS.questions
  if (node.kind !== "object") refuse(["questions"], "The questions must be an object.")
  if (node.size < 1 || node.size > max) refuse(["questions"], `A request has 1 to ${max} questions.`)
  return node.children()
}

function questionsOf(node: JsonNode): CheckedQuestion[] {
  return checkEach(questionNodes(node), (child) => {
    const name = child.name(CEILINGS.questionName)
    if (!name || !isQuestionName(name))
      refuse(
        name ? ["questions", name] : ["questions"],
        "The name of a question has 1 to 64 characters: letters, digits, _ and -.",
      )
    return checkQuestion(name, child)
  })
}

type Asked = Omit<CheckedRequest, "state">

/** Returns the first of the model's own limits that the request exceeds, in request order, or null. */
export const checkModelLimits = (request: Asked, limits: ShapeLimits): Refusal | null =>
  exceededLimits(request, limits)[0] ?? null

function exceededLimits({ questions, clientNames, form }: Asked, limits: ShapeLimits): Refusal[] {
  const found: Refusal[] = []
  if (questions.length > limits.maxQuestions)
    found.push({
      path: ["questions"],
      message: `This model takes at most ${countOf(limits.maxQuestions, "question")} in a request.`,
    })
  for (const [i, question] of questions.entries()) {
    const message = typeOf(question).exceededLimit?.(question, limits)
    if (message)
      found.push({ path: form?.criteriaPath?.(i) ?? criteriaPath(clientNames?.[i] ?? question.name), message })
  }
  return found
}

/**
 * Returns everything that is billed, in a fixed order (docs/decisions/0007): the state once, then question by question.
 */
export const billedTexts = (request: CheckedRequest): (JsonText | string)[] => [
  request.state,
  ...request.questions.flatMap(questionTexts),
]
