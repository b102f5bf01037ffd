import { roundedScores, withinOneLevel } from "@/lib/shared/statistics/classes"
import { mostLikely, nearProbability } from "@/questions/probabilities"
import type { Answered } from "./evaluation-figures"
import { scored } from "./ordinal-figures"

/** A confidence and whether the answer is right, per row. */
export interface Confidences {
  confidences: Float64Array
  isRight: Uint8Array
}

/** The most likely outcome of each row, with its probability. */
interface TopConfidences extends Confidences {
  answers: Uint8Array
}

const known = new WeakMap<Answered, TopConfidences>()

/** Reads the most likely option and its probability. Every figure of a choice needs them, so the same answers are read once. */
export function topConfidences(answered: Answered): TopConfidences {
  const { labels, probabilities } = answered
  const read = known.get(answered)
  if (read) return read
  const answers = Uint8Array.from(probabilities, mostLikely)
  const top: TopConfidences = {
    answers,
    confidences: Float64Array.from(probabilities, (each, row) => each[answers[row] ?? 0] ?? 0),
    isRight: labels.map((label, row) => Number(label === answers[row])),
  }
  known.set(answered, top)
  return top
}

/** Reads the probability that the rounded score is at most one level from the right one. */
export function withinConfidences(answered: Answered): Confidences {
  const data = scored(answered)
  const { predicted } = roundedScores(data)
  return {
    confidences: Float64Array.from(answered.probabilities, (each, row) => nearProbability(each, predicted[row] ?? 0)),
    isRight: Uint8Array.from(withinOneLevel(data)),
  }
}
