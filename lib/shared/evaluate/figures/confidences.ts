import { roundedScores, withinOneLevel } from "@/lib/shared/statistics/classes"
import { mostLikely, nearProbability } from "@/questions/probabilities"
import type { Answered } from "./evaluation-figures"
import { scored } from "./ordinal-figures"

/** A confidence and whether the answer is right, per row. */
export interface Confidences {
  confidences: Float64Array
  isRight: Uint8Array
}

/** Reads the probability of the most likely option. */
export function topConfidences({ labels, probabilities }: Answered): Confidences {
  const answers = probabilities.map(mostLikely)
  return {
    confidences: Float64Array.from(probabilities, (each, row) => each[answers[row] ?? 0] ?? 0),
    isRight: labels.map((label, row) => Number(label === answers[row])),
  }
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
