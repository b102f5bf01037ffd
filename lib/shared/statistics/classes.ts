import { nearestLevel } from "../nearest-level"
import type { Statistic, Weights } from "./forecasts"

/** Answers among `count` classes: true and predicted class of each row, from 0. */
export interface Classified {
  count: number
  labels: ArrayLike<number>
  predicted: ArrayLike<number>
}

/** Rows by true class (first index) and predicted class (second). */
export type Confusion = number[][]

/** Counts rows by true and predicted class. `weights` says how often a row counts; once by default. */
export function confusionOf({ count, labels, predicted }: Classified, weights?: Weights): Confusion {
  const cells = Array.from({ length: count }, () => new Array<number>(count).fill(0))
  for (let row = 0; row < labels.length; row++) {
    const cell = cells[labels[row] ?? 0]
    const column = predicted[row] ?? 0
    if (cell) cell[column] = (cell[column] ?? 0) + (weights ? (weights[row] ?? 0) : 1)
  }
  return cells
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const columnSum = (cells: Confusion, column: number): number => sum(cells.map((cell) => cell[column] ?? 0))

export interface ClassFigures {
  /** The rows of this true class. */
  labels: number
  /** The rows predicted as this class. */
  predicted: number
  right: number
  /** The share of its predictions that are right; null without one. */
  precision: number | null
  /** The share of its rows that were found; null without one. */
  recall: number | null
  /** The harmonic mean of both: `2·right / (labels + predicted)`; 0 when nothing is right. */
  f1: number
}

/** Returns precision, recall and F1 of each class. Source: van Rijsbergen (1979), "Information retrieval", chapter 7. */
export const classFigures = (cells: Confusion): ClassFigures[] =>
  cells.map((cell, at) => {
    const labels = sum(cell)
    const predicted = columnSum(cells, at)
    const right = cell[at] ?? 0
    return {
      labels,
      predicted,
      right,
      precision: predicted > 0 ? right / predicted : null,
      recall: labels > 0 ? right / labels : null,
      f1: right > 0 ? (2 * right) / (labels + predicted) : 0,
    }
  })

/**
 * Returns the mean F1 of all classes that occur as a label or a prediction, each counted once; NaN without rows. As
 * scikit-learn's `f1_score(average="macro")`.
 */
export const macroF1 =
  ({ count, labels, predicted }: Classified): Statistic =>
  (weights) => {
    // The sum of labels and predictions of each class, and how many of them are right.
    const seen = new Float64Array(count)
    const right = new Float64Array(count)
    const add = (to: Float64Array, at: number, weight: number) => {
      to[at] = (to[at] ?? 0) + weight
    }
    for (let row = 0; row < labels.length; row++) {
      const weight = weights[row] ?? 0
      const label = labels[row] ?? 0
      add(seen, label, weight)
      add(seen, predicted[row] ?? 0, weight)
      if (label === predicted[row]) add(right, label, weight)
    }
    const total = right.reduce((sum, each, at) => sum + (seen[at] ? (2 * each) / (seen[at] ?? 1) : 0), 0)
    return total / seen.filter(Boolean).length
  }

/** Returns how many rows have each true class, by weight. */
function labelCounts(
  count: number,
  labels: ArrayLike<number>,
  weights: Weights,
): { counts: Float64Array; total: number } {
  const counts = new Float64Array(count)
  let total = 0
  for (let row = 0; row < labels.length; row++) {
    const weight = weights[row] ?? 0
    counts[labels[row] ?? 0] = (counts[labels[row] ?? 0] ?? 0) + weight
    total += weight
  }
  return { counts, total }
}

/** Returns the most frequent true class; the first of equally frequent ones. */
export function mostFrequent({ count, labels }: Classified): number {
  const counts = new Array<number>(count).fill(0)
  for (let row = 0; row < labels.length; row++) counts[labels[row] ?? 0] = (counts[labels[row] ?? 0] ?? 0) + 1
  return counts.indexOf(Math.max(...counts))
}

/** Returns the same rows with one class predicted for all of them. */
export const alwaysPredict = (rows: Classified, predicted: number): Classified => ({
  ...rows,
  predicted: new Uint8Array(rows.labels.length).fill(predicted),
})

/**
 * Returns Cohen's kappa with quadratic weights over ordered classes: 1 for full agreement, 0 for that of chance. NaN when
 * both sides only ever use the same class.
 *
 * `1 − Σ w·observed / Σ w·expected` with `w = (i − j)²`. Source: Cohen (1968), "Weighted kappa".
 */
export function quadraticKappaOf(cells: Confusion): number {
  const labels = cells.map(sum)
  const predicted = cells.map((_, at) => columnSum(cells, at))
  const total = sum(labels)
  let observed = 0
  let expected = 0
  for (const [i, cell] of cells.entries())
    for (const [j, count] of cell.entries()) {
      const weight = (i - j) ** 2
      observed += weight * count
      expected += (weight * (labels[i] ?? 0) * (predicted[j] ?? 0)) / total
    }
  return 1 - observed / expected
}

/** The answers to a question with ordered levels: the true level and the score, which may lie between levels. */
export interface Scored {
  levels: number
  labels: ArrayLike<number>
  scores: ArrayLike<number>
}

const errorsOf = ({ labels, scores }: Scored): Float64Array =>
  Float64Array.from({ length: labels.length }, (_, row) => (scores[row] ?? 0) - (labels[row] ?? 0))

/** Returns the distance of each row's score from its true level; the mean of it is the mean absolute error. */
export const absoluteErrors = (rows: Scored): Float64Array => errorsOf(rows).map(Math.abs)

/** Returns score minus true level of each row. The mean of it is the bias: above 0, the model rates too high. */
export const signedErrors = errorsOf

/** Returns 1 for each row whose score, rounded to a level, is at most one level from the true one, else 0. */
export const withinOneLevel = ({ labels, scores }: Scored): Float64Array =>
  Float64Array.from({ length: labels.length }, (_, row) =>
    Math.abs(nearestLevel(scores[row] ?? 0) - (labels[row] ?? 0)) <= 1 ? 1 : 0,
  )

/** Returns the rows with the level nearest to each score, for confusion and kappa. */
export const roundedScores = ({ levels, labels, scores }: Scored): Classified => ({
  count: levels,
  labels,
  predicted: Uint8Array.from({ length: labels.length }, (_, row) => nearestLevel(scores[row] ?? 0)),
})

/** Returns the level that is within one level of the most labels; the lowest of equally good ones. */
export function bestWithinOne({ levels, labels }: Scored): number {
  const counts = new Array<number>(levels).fill(0)
  for (let row = 0; row < labels.length; row++)
    for (const level of [-1, 0, 1].map((step) => (labels[row] ?? 0) + step))
      if (level >= 0 && level < levels) counts[level] = (counts[level] ?? 0) + 1
  return counts.indexOf(Math.max(...counts))
}

/** Returns the level that minimises the mean absolute error when it is always predicted: the lower median. */
export function medianLevel({ labels }: Scored): number {
  const sorted = Float64Array.from(labels).sort()
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}

/**
 * Returns each row's ranked probability score, 0 (best) to 1: the mean squared error of the probabilities to be at most on each
 * level but the last. Source: Epstein (1969), "A scoring system for probability forecasts of ranked categories".
 */
export const rankedErrors = (labels: ArrayLike<number>, probabilities: readonly (readonly number[])[]): Float64Array =>
  Float64Array.from(probabilities, (each, row) => {
    let upTo = 0
    let sum = 0
    for (let level = 0; level < each.length - 1; level++) {
      upTo += each[level] ?? 0
      sum += (upTo - Number((labels[row] ?? 0) <= level)) ** 2
    }
    return sum / (each.length - 1)
  })

/** The ranked probability score of always forecasting the shares of the true levels. */
export const sharesRanked =
  ({ levels, labels }: Pick<Scored, "levels" | "labels">): Statistic =>
  (weights) => {
    const { counts, total } = labelCounts(levels, labels, weights)
    let upTo = 0
    let sum = 0
    for (const each of counts.subarray(0, levels - 1)) {
      upTo += each / total
      sum += upTo * (1 - upTo)
    }
    return sum / (levels - 1)
  }
