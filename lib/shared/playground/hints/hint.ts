import type { QuestionForm, Words } from "../schema"

/** Advice on the wording of a question, from rules alone: nothing is refused for it. */
export interface Hint {
  rule: string
  message: string
  /** One click that does what the message advises. */
  fix?: { label: string; apply: (question: QuestionForm) => QuestionForm }
}

export type Rule = (question: QuestionForm) => Hint | null

/** What the rules read of words: JSON is for machines to word. */
export const wordsOf = ({ kind, text }: Words): string => (kind === "text" ? text : "")

/** The words of a question that say what is asked. */
export const askedIn = (question: QuestionForm): string => wordsOf(question.instructions)
