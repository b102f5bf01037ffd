import type { Interval } from "@/lib/shared/statistics/binomial"
import type { Statistic } from "@/lib/shared/statistics/forecasts"

/** Labels and answers of a question, row by row. Every row has a label and an answer. */
export interface Answered {
  /** The possible answers: no and yes, the options, or the levels. */
  names: readonly string[]
  /** The index of the right outcome. */
  labels: Uint8Array
  /** One probability per outcome. */
  probabilities: readonly (readonly number[])[]
}

/** One line of the table of figures, as text. */
export interface FigureLine {
  name: string
  value: string
  /** The 95% interval; null while it is computed and where there is none. */
  interval: string | null
  /** The figure that a simple rule reaches without a model, and that rule: `62%: always “no”`. */
  baseline: string
  meaning: string
  /** True when the figure does not lead its baseline beyond chance. Absent for a figure without a lead. */
  isNoBetter?: boolean
}

/** 95% intervals by the name of the statistic; null where there is none. */
export type Intervals = Partial<Record<string, Interval | null>>

/** A figure that two runs over the same rows are compared by. */
export interface ComparedFigure {
  name: string
  /** Which of two values is better. `none`: neither is. */
  better: "higher" | "lower" | "none"
  format(value: number): string
  /** Receives weights in the order of rows, which two runs share. */
  statistic: Statistic
}

/** The figures of the question types of one scale. `Data` crosses to a worker, so it holds plain arrays only. */
export interface ScaleFigures<Data> {
  read(answered: Answered): Data
  rows(data: Data): number
  /** The statistics that the worker computes intervals for. A name ending in `Gain` is a figure minus its baseline. */
  statistics(data: Data): Record<string, Statistic>
  /** Intervals that are not a bootstrap of a statistic. */
  extra?(data: Data, seed: number): Intervals
  compared(data: Data): ComparedFigure[]
  /** Returns 1 for each row whose answer is its label, in the order of rows. */
  right(data: Data): Uint8Array
  lines(data: Data, values: Record<string, number>, intervals: Intervals): FigureLine[]
}
