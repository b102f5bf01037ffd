import type { PromptOption } from "./decision-form"
import type { Members } from "./engine-wire"

/** What the tests of every question type use: `questions/NAME/sample.ts` exports one as `sample`. */
export interface TypeSample<Question> {
  /** A question of a request, with instructions. */
  question: Members & { type: string; instructions: string }
  /** The members of an engine's answer, and the answer in the response. */
  engine: Members
  answer: Members
  /** The part of this answer that a threshold decides by. Null for a type without thresholds. */
  share: number | null
  /** The answers as the service's own engine shows them to a model, by its default settings. */
  promptOptions: PromptOption[]
  /** Returns the text of each answer in the prompt of an ordinary model. Texts on lines of their own are joined by newlines. */
  labelTexts(question: Question): string[]
  /** An answer between two outcomes, the keys of its outcomes, the one that it counts as, and another. */
  undecided: { answer: Members; outcomes: string[]; right: number; wrong: number }
}
