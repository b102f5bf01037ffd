import { asText, isBlank } from "@/lib/shared/json-source/text-or-json"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import type { QuestionForm } from "@/questions/question-form"
import type { QuestionTypeName } from "@/questions/question-types"
import type { StabilityCheck } from "../model/evaluation-run"

interface Rewording {
  /** Returns the question in other words; null when the check changes nothing about it. */
  write(question: QuestionForm): QuestionForm | null
  /** Turns the probabilities of the other wording into those of the question. Absent: they are in the same order. */
  restore?(probabilities: number[]): number[]
}

type Rewordings = Partial<Record<StabilityCheck, Rewording>>

/** Answers are read by the name of their option, so another order needs no turning back. */
const reordered = (least: number, order: <Item>(items: Item[]) => Item[]): Rewording => ({
  write: (question) => (question.options.length < least ? null : { ...question, options: order(question.options) }),
})

const middle = (items: readonly unknown[]): number => Math.ceil(items.length / 2)

const OPPOSITE = "Answer yes when the answer to this question is no, and no when it is yes: "

/** Asks for the opposite: yes means what no meant. */
function opposite(question: QuestionForm): QuestionForm {
  const { instructions, yes, no } = question
  const asked = isBlank(instructions)
    ? instructions
    : instructions.kind === "text"
      ? asText(OPPOSITE + instructions.text)
      : { kind: "json" as const, text: `[${JSON.stringify(OPPOSITE.trim())},${instructions.text}]` }
  return { ...question, instructions: asked, yes: no, no: yes, meanings: undefined }
}

/** How the questions of each type can be asked in other words without asking anything else. */
const REWORDINGS: Record<QuestionTypeName, Rewordings> = {
  noul: { swapped: { write: opposite, restore: (probabilities) => probabilities.toReversed() } },
  choice: {
    reversed: reordered(2, (items) => items.toReversed()),
    rotated: reordered(3, (items) => [...items.slice(middle(items)), ...items.slice(0, middle(items))]),
  },
  // The order of levels is their meaning.
  score: {},
}

/** Returns whether a check says something about a question. The same request again says something about each. */
export const appliesTo = (check: StabilityCheck, question: QuestionForm): boolean =>
  check === "repeated" || (REWORDINGS[question.type][check]?.write(question) ?? null) !== null

/** Returns the form as a check asks it. Questions that the check does not concern stay as they are. */
export const reword = (form: RequestForm, check: StabilityCheck): RequestForm => ({
  ...form,
  questions: form.questions.map((question) => REWORDINGS[question.type][check]?.write(question) ?? question),
})

/** Returns an answer of a check as an answer to the question itself. */
export function restoreAnswer(
  check: StabilityCheck,
  type: QuestionTypeName,
  probabilities: number[] | null,
): number[] | null {
  const restore = REWORDINGS[type][check]?.restore
  return probabilities && restore ? restore(probabilities) : probabilities
}
