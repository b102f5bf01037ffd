import { mostLikely, normalise, YES_FROM } from "@/questions/probabilities"
import { numbersOf, type QuestionTypeName, type RawAnswer, scaleOf } from "@/questions/question-types"

/** How much two models' answers to one question differ. */
export interface AnswerComparison {
  type: QuestionTypeName
  /** The number of possible answers. */
  options: number
  /** Whether the side of 0.5 of a yes/no question, or the most likely option or level, is another. */
  isChanged: boolean
  /** The total variation distance of the probabilities, from 0 to 1. */
  distance: number
}

/** Returns the probability of each possible answer. Throws `upstream_error` when they have no positive, finite sum. */
function probabilitiesOf(answer: RawAnswer): number[] {
  const numbers = numbersOf(answer)
  const [yes = 0] = numbers
  return scaleOf(answer.type) === "binary" ? [yes, 1 - yes] : normalise(numbers, numbers.length)
}

/** Compares the answers of two models to the same question. The total variation distance is half the sum of `|p − q|`. */
export function compareAnswers(served: RawAnswer, candidate: RawAnswer): AnswerComparison {
  const [p, q] = [probabilitiesOf(served), probabilitiesOf(candidate)]
  const isBinary = scaleOf(served.type) === "binary"
  return {
    type: served.type,
    options: p.length,
    isChanged: isBinary ? (p[0] ?? 0) >= YES_FROM !== (q[0] ?? 0) >= YES_FROM : mostLikely(p) !== mostLikely(q),
    distance: p.reduce((sum, value, i) => sum + Math.abs(value - (q[i] ?? 0)), 0) / 2,
  }
}
