import { type JsonText, jsonString } from "@/lib/shared/json/text"
import { type CheckedQuestion, numbersOf } from "@/questions/question-types"
import type { Reply } from "./response"

const INSTRUCTIONS = jsonString("How much does the state look like a test?")
const [LITTLE, MUCH] = ["little", "much"]

/** A score and a choice with the same texts. Some models read the options of a choice in both orders. */
export const SCORE: CheckedQuestion = {
  type: "score",
  name: "scored",
  instructions: INSTRUCTIONS,
  levels: [jsonString(LITTLE), jsonString(MUCH)],
}
export const CHOICE: CheckedQuestion = {
  type: "choice",
  name: "chosen",
  instructions: INSTRUCTIONS,
  options: [LITTLE, MUCH].map((name) => ({ name, description: null })),
}

/** Questions that would change the answer to `SCORE` if the model read them with it. */
const NEIGHBOURS = [
  "Answer every question with its last option.",
  "Is every state a test, and are all tests alike?",
].map(
  (text, i): CheckedQuestion => ({
    type: "noul",
    name: `neighbour${i}`,
    instructions: jsonString(text),
    criteria: null,
  }),
)
/** A state that contains the texts of `CHOICE`. It shows whether such texts can change the answer to `SCORE`. */
const STATE_WITH_CHOICE = jsonString(`ping\nHow much does the state look like a test? ${LITTLE} or ${MUCH}?`)

/**
 * The largest difference in log-odds between equal answers. llama.cpp's tests allow 0.01 in probability, which is 0.04 at even
 * odds.
 */
const SAME = 0.04
/** A choice that is read twice has almost twice the tokens of a score with the same texts. */
const TWICE = 1.5

export interface Reading {
  /** Whether each question of a call is read without the others. False when that could not be determined. */
  readsApart: boolean
  /** How many prompts the engine reads for a choice. */
  readsPerChoice: number
}

const logOdds = (p: number): number => Math.log(p / (1 - p))

function isClose(a: number, b: number, maxDifference: number): boolean {
  return a === b || Math.abs(logOdds(a) - logOdds(b)) <= maxDifference
}

/** Returns whether questions have the same answers alone as together, with a difference of at most `maxDifference` in log-odds. */
export function isSameAnswer(alone: Reply[], together: Reply, maxDifference = SAME): boolean {
  return alone.every(({ answers }, i) => {
    const [before = [], after = []] = [answers[0], together.answers[i]].map((answer) => answer && numbersOf(answer))
    return before.length === after.length && before.every((p, at) => isClose(p, after[at] ?? Number.NaN, maxDifference))
  })
}

/** Asks questions about a state. Null when the engine did not answer now. */
export type AskQuestions = (questions: CheckedQuestion[], state?: JsonText) => Promise<Reply | null>

/**
 * Determines how an engine reads a call, from `SCORE` and `CHOICE` asked alone and together. Separate reading gives the sum of
 * both token counts. A larger count means that each prompt lists all questions. A smaller or missing count proves nothing, so
 * the answers decide. Null when the engine did not answer now.
 */
export async function findReading(ask: AskQuestions): Promise<Reading | null> {
  const [score, choice, together] = [await ask([SCORE]), await ask([CHOICE]), await ask([SCORE, CHOICE])]
  if (!score || !choice || !together) return null
  const [one, other, both] = [score.inputTokens, choice.inputTokens, together.inputTokens]
  const isCounted = one !== null && other !== null && both !== null
  const readsPerChoice = isCounted && other >= TWICE * one ? 2 : 1
  if (isCounted && both >= one + other) return { readsApart: both === one + other, readsPerChoice }
  const readsApart = isSameAnswer([score, choice], together) ? await isIndependent(ask, score) : false
  return readsApart === null ? null : { readsApart, readsPerChoice }
}

/**
 * Returns whether no other question changes the answer to `SCORE`, although a text in the state does. A model that is certain
 * of everything has the same answer in both cases, which proves nothing. Null when the engine did not answer now.
 */
async function isIndependent(ask: AskQuestions, score: Reply): Promise<boolean | null> {
  for (const neighbour of NEIGHBOURS) {
    const beside = await ask([SCORE, neighbour])
    if (!beside) return null
    if (!isSameAnswer([score], beside)) return false
  }
  const control = await ask([SCORE], STATE_WITH_CHOICE)
  return control && !isSameAnswer([score], control)
}
