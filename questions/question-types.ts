import type { JsonNode } from "@/lib/shared/json/request-index"
import type { JsonText } from "@/lib/shared/json/text"
import type { Automation } from "./automation"
import { checkAll, checkNames, descriptionOf, membersOf, refuse } from "./check-fields"
import { choice } from "./choice/choice"
import type { CriteriaForm } from "./criteria-form"
import { memberOf, type Share } from "./display"
import type { Hint, Worded } from "./hint-rules"
import { noul } from "./noul/noul"
import type { Outcomes } from "./outcomes"
import type { QuestionType, Scale } from "./question-type"
import type { Rewordings } from "./rewordings"
import { score } from "./score/score"

/** All question types by their name in a request. Every other list and union of types is derived from this one. */
export const QUESTION_TYPES = { noul, choice, score }

type Types = typeof QUESTION_TYPES
export type QuestionTypeName = keyof Types

type QuestionOf<Name extends QuestionTypeName> = ReturnType<Types[Name]["check"]>
type RawAnswerOf<Name extends QuestionTypeName> = ReturnType<Types[Name]["readAnswer"]>
export type ChartOf<Name extends QuestionTypeName> = NonNullable<ReturnType<Types[Name]["prepare"]>>

type FieldsOf<Name extends QuestionTypeName> = ReturnType<Types[Name]["form"]["initial"]>
type Intersection<Union> = (Union extends unknown ? (of: Union) => void : never) extends (of: infer All) => void
  ? All
  : never
/** The fields that a question of the form has for the criteria of every type. */
export type QuestionFields = Intersection<FieldsOf<QuestionTypeName>>

export type CheckedQuestion = QuestionOf<QuestionTypeName>
/** An engine's answer to one question, options and levels in request order. The probabilities need not sum to 1. */
export type RawAnswer = RawAnswerOf<QuestionTypeName>
/** What the chart of one answer draws. `missing` when the response holds no answer that fits the question. */
export type PreparedAnswer = { name: string } & (
  | { [Name in QuestionTypeName]: { type: Name; chart: ChartOf<Name> } }[QuestionTypeName]
  | { type: "missing" }
)

export const TYPE_NAMES = Object.keys(QUESTION_TYPES) as QuestionTypeName[]

/**
 * Returns the definition of a question's type. The compiler does not know which type it is, so call its methods only
 * with this question and its answer.
 */
export const typeOf = (question: CheckedQuestion): AnyType => typeNamed(question.type)

/** Returns the scale of the answers to questions of this type. */
export const scaleOf = (name: QuestionTypeName): Scale => typeNamed(name).scale

type AnyType = QuestionType<CheckedQuestion, RawAnswer, unknown, Partial<QuestionFields>>
const typeNamed = (name: QuestionTypeName): AnyType => QUESTION_TYPES[name] as AnyType

/** Returns how answers of a type become actions. Call `measure` only with a chart of this type. */
export const automationOf = (name: QuestionTypeName): Automation<unknown> | null => typeNamed(name).automation ?? null

/** Returns the numbers that make up an answer. */
export const numbersOf = (answer: RawAnswer): number[] => typeNamed(answer.type).numbers(answer)

/** Returns the probability of the most likely answer, 0 to 1: of a noul, that of yes or of no. Throws `upstream_error` when none fits. */
export const topProbability = (answer: RawAnswer): number => typeNamed(answer.type).topProbability(answer)

export const criteriaForm = (name: QuestionTypeName): CriteriaForm<Partial<QuestionFields>> => typeNamed(name).form

/** Joins what each type's form returns. */
export const fieldsOfTypes = (fields: (form: CriteriaForm<Partial<QuestionFields>>) => Partial<QuestionFields>) =>
  Object.assign({}, ...TYPE_NAMES.map((name) => fields(criteriaForm(name)))) as QuestionFields

/** Returns advice on the wording of a question in the form, most important first. It never blocks a request. */
export const hintsOf = (
  type: QuestionTypeName,
  question: Worded & Partial<QuestionFields>,
): Hint<Partial<QuestionFields>>[] => (typeNamed(type).hints ?? []).flatMap((rule) => rule(question) ?? [])

/** Returns how a question of the form can be asked in other words. Call them only with a question of this type. */
export const rewordingsOf = (type: QuestionTypeName): Rewordings<Partial<QuestionFields>> =>
  typeNamed(type).rewordings ?? {}

const FIELDS = ["type", "instructions", "criteria"] as const
/** No type name has this many source bytes, even when every character is escaped. */
const MAX_TYPE_BYTES = 50
const WRONG_TYPE = `The type of a question is ${TYPE_NAMES.slice(0, -1).join(", ")} or ${TYPE_NAMES.at(-1)}.`

/** Checks one question object (spec.md, "Question object"). Throws `Refused`. Some dialects may send `criteria: null` for none. */
export function checkQuestion(name: string, node: JsonNode, { takesNull = false } = {}): CheckedQuestion {
  const path = ["questions", name]
  if (node.kind !== "object") refuse(path, "A question must be an object.")
  const { type: typeNode, instructions, criteria } = membersOf(node, FIELDS)
  const type = () => typeNameOf(typeNode) ?? refuse([...path, "type"], WRONG_TYPE)
  const isNone = takesNull && criteria?.kind === "null"
  const [, , , question] = checkAll(
    () => checkNames(node, FIELDS, path),
    type,
    () => instructions && descriptionOf(instructions, [...path, "instructions"]),
    () => QUESTION_TYPES[type()].check(name, instructions?.text() ?? null, isNone ? undefined : criteria),
  )
  return question
}

function typeNameOf(node: JsonNode | undefined): QuestionTypeName | undefined {
  const text = node?.kind === "string" && node.size < MAX_TYPE_BYTES ? node.text()?.text() : undefined
  return TYPE_NAMES.find((name) => name === text)
}

/** Returns what is billed for one question, in a fixed order: its instructions, then its criteria. */
export function questionTexts(question: CheckedQuestion): (JsonText | string)[] {
  const texts = typeOf(question).criteriaTexts(question)
  return question.instructions ? [question.instructions, ...texts] : texts
}

/** Counts questions by type, such as `{ noul: 2 }`. Types without a question are absent. */
export function countByType(questions: CheckedQuestion[]): Partial<Record<QuestionTypeName, number>> {
  const counts: Partial<Record<QuestionTypeName, number>> = {}
  for (const { type } of questions) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

export function prepareAnswer(question: CheckedQuestion, answer: unknown): PreparedAnswer {
  const { name, type } = question
  const chart = memberOf(answer, "type") === type ? typeOf(question).prepare(question, answer) : null
  return chart === null ? { name, type: "missing" } : ({ name, type, chart } as PreparedAnswer)
}

/** Returns the share of an answer that a threshold decides by. Null without an answer, and for a type without thresholds. */
export function measured(answer: PreparedAnswer): { kind: Automation<unknown>["kind"]; share: Share } | null {
  if (answer.type === "missing") return null
  const automation = automationOf(answer.type)
  return automation && { kind: automation.kind, share: automation.measure(answer.chart) }
}

export const answerFigures = (answer: PreparedAnswer) =>
  answer.type === "missing" ? [] : typeNamed(answer.type).figures(answer.chart)

/** Returns how the question's answers relate to labels. Call its methods only with this question. */
export const outcomesOf = (question: CheckedQuestion): Outcomes<CheckedQuestion> => typeOf(question).outcomes

/** Explains how an answer's confidence follows from its probabilities. Null for an answer without a confidence. */
export const explainConfidence = (answer: PreparedAnswer) =>
  answer.type === "missing" ? null : (typeNamed(answer.type).explainConfidence?.(answer.chart) ?? null)
