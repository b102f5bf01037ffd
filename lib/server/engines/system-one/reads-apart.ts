import { JsonText } from "@/lib/shared/json/text"
import type { CheckedQuestion, RawAnswer } from "@/questions/question-types"
import type { Reply } from "./response"

const quoted = (text: string) => new JsonText("string", Buffer.from(JSON.stringify(text)))
const INSTRUCTIONS = quoted("How much does the state look like a test?")
const [LITTLE, MUCH] = ["little", "much"]

/** Two questions with the same texts. Some models read the options of a choice twice, in both orders. */
export const SCORE: CheckedQuestion = {
  type: "score",
  name: "scored",
  instructions: INSTRUCTIONS,
  levels: [quoted(LITTLE), quoted(MUCH)],
}
export const CHOICE: CheckedQuestion = {
  type: "choice",
  name: "chosen",
  instructions: INSTRUCTIONS,
  options: [LITTLE, MUCH].map((name) => ({ name, description: null })),
}

/** The difference that llama.cpp's own tests allow between call shapes. */
const SAME = 0.01
/** A choice that is read twice has almost twice the tokens of a score with the same texts. */
const TWICE = 1.5

export interface Reading {
  /** Whether each question of a call is read without the others. */
  readsApart: boolean
  /** How many prompts the engine reads for a choice. */
  readsPerChoice: number
}

const numbersOf = (answer: RawAnswer | undefined): number[] => {
  if (!answer) return []
  return answer.type === "noul" ? [answer.yes] : answer.probabilities
}

/** Returns whether questions have the same answers alone as together, with a difference of at most `most`. */
export function isSameAnswer(alone: Reply[], together: Reply, most = SAME): boolean {
  return alone.every(({ answers }, i) => {
    const [before, after] = [numbersOf(answers[0]), numbersOf(together.answers[i])]
    return before.length === after.length && before.every((p, at) => Math.abs(p - (after[at] ?? -1)) <= most)
  })
}

/**
 * Determines how an engine reads a call, from `SCORE` and `CHOICE` asked alone and together. Its token counts decide:
 * read apart, both together have the sum. More tokens mean that each prompt lists all questions. Fewer tokens, or no
 * count, leave it to the answers: the engine reads one prompt for all, or counts the shared part once.
 */
export function readingOf(score: Reply, choice: Reply, together: Reply): Reading {
  const [one, other, both] = [score.inputTokens, choice.inputTokens, together.inputTokens]
  if (one === null || other === null || both === null)
    return { readsApart: isSameAnswer([score, choice], together), readsPerChoice: 1 }
  const sum = one + other
  const readsApart = both === sum || (both < sum && isSameAnswer([score, choice], together))
  return { readsApart, readsPerChoice: other >= TWICE * one ? 2 : 1 }
}
