import { badResponse, isMembers, type Members, readExactly } from "@/questions/engine-wire"
import { type CheckedQuestion, type RawAnswer, typeOf } from "@/questions/question-types"

/** How sure an engine was that one of the labels comes next, for one question. Null where it does not report it. */
interface LabelReport {
  /** The probability of all labels together, over the whole vocabulary. */
  mass: number | null
  isLikeliest: boolean | null
}

export interface Reply {
  /** One per question asked, in that order. */
  answers: RawAnswer[]
  /** The same for the labels. */
  labels: LabelReport[]
  /** The name of the model that answered; null when the response does not state it. */
  model: string | null
  /** How many tokens the engine reports to have read; null when it does not. */
  inputTokens: number | null
}

/** How an engine's replies are read. */
export interface ReplyRules {
  /** Whether the probabilities of an answer sum to 1, instead of to its label mass. */
  isNormalised: boolean
  /** Whether an answer without a label mass is refused. */
  needsLabelMass?: boolean
  /** Called for a probability that was clamped to 0 or 1. */
  clamped?(): void
}

const NORMALISED: ReplyRules = { isNormalised: true }
/** Engines sum single-precision numbers. */
const MASS_ROUNDING = 1e-3
const noAction = () => {}

function readMass(value: unknown): number | null {
  if (value == null) return null
  if (typeof value !== "number" || !(value >= 0 && value <= 1 + MASS_ROUNDING))
    badResponse("the label mass is outside of 0 to 1")
  return Math.min(value, 1)
}

/** Reads SGLang's `x_label_mass` of an answer, or vLLM's `diagnostics` of a question. */
function readLabels(answer: Members, diagnostics: unknown): LabelReport {
  const { label_mass: mass = answer.x_label_mass, argmax_is_label: isLikeliest } = isMembers(diagnostics)
    ? diagnostics
    : {}
  return { mass: readMass(mass), isLikeliest: typeof isLikeliest === "boolean" ? isLikeliest : null }
}

function readAnswer(question: CheckedQuestion, answer: unknown, diagnostics: unknown, rules: ReplyRules) {
  if (!isMembers(answer) || answer.type !== question.type) badResponse("an answer has another type than its question")
  const labels = readLabels(answer, diagnostics)
  if (rules.needsLabelMass && labels.mass === null) badResponse("the label mass is missing")
  const { isNormalised, clamped = noAction } = rules
  return {
    answer: typeOf(question).readAnswer(question, answer, { isNormalised, labelMass: labels.mass, clamped }),
    labels,
  }
}

/** Parses JSON. Throws `upstream_error` when it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return badResponse("the response is no JSON")
  }
}

function tokensOf(usage: unknown): number | null {
  const tokens = isMembers(usage) ? usage.input_tokens : null
  return typeof tokens === "number" && Number.isInteger(tokens) && tokens > 0 ? tokens : null
}

/**
 * Reads an engine's response to these questions. Only probabilities count: engines differ in `confidence` and rounding. Throws
 * `upstream_error` when an answer is missing, malformed or contradicts itself.
 */
export function readReply(questions: CheckedQuestion[], text: string, rules: ReplyRules = NORMALISED): Reply {
  const body = parseJson(text)
  if (!isMembers(body)) badResponse("the response is no object")
  const names = questions.map(({ name }) => name)
  const members = readExactly(body.answers, names)
  const diagnostics = isMembers(body.diagnostics) ? body.diagnostics : {}
  const read = questions.map((question, i) => readAnswer(question, members[i], diagnostics[question.name], rules))
  return {
    answers: read.map(({ answer }) => answer),
    labels: read.map(({ labels }) => labels),
    model: typeof body.model === "string" ? body.model : null,
    inputTokens: tokensOf(body.usage),
  }
}
