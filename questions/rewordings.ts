import type { Worded } from "./hint-rules"

/**
 * A way to ask a question in other words without asking anything else.
 *
 * - `reversed`: options in the opposite order. `rotated`: the second half of the options first.
 * - `swapped`: the opposite of yes/no questions.
 */
export type RewordingName = "reversed" | "rotated" | "swapped"

interface Rewording<Fields> {
  /** Returns the fields to replace. Null for a question that would stay the same. */
  write(question: Worded & Fields): Partial<Worded & Fields> | null
  /** Turns the probabilities of the other wording into those of the question. Absent: they are in the same order. */
  restore?(probabilities: number[]): number[]
}

export type Rewordings<Fields> = Partial<Record<RewordingName, Rewording<Fields>>>
