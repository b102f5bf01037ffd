/**
 * The colours of layers. 1 to 5 have different hues, and 6 is grey, for layers without one of their own. `accent` is for the only layer
 * of a chart, `refused` for requests without an answer.
 */
export type Tone = 1 | 2 | 3 | 4 | 5 | 6 | "accent" | "refused"

export interface TimeLayer {
  name: string
  tone: Tone
  /** One value for each point, only for drawing; null where there is no data. */
  values: readonly (number | null)[]
  /** The total over the whole range as text, for the legend. */
  total?: string
}

/** A chart over time. The tooltip, the table and the legend show only its texts. */
export interface TimeChart {
  title: string
  /** The heading of the first column of the table: "Day (UTC)". */
  head: string
  layers: readonly TimeLayer[]
  /** One for each hour or day: its label and one text for each layer. */
  points: readonly { label: string; texts: readonly string[] }[]
  /** Columns on the axis. They exceed the number of points while hours of today are still to come. */
  columnCount: number
  /** Labels under the axis. */
  ticks: readonly { column: number; text: string }[]
  formatTick: (value: number) => string
}

export const FILLS: Record<Tone, string> = {
  1: "fill-series-1",
  2: "fill-series-2",
  3: "fill-series-3",
  4: "fill-series-4",
  5: "fill-series-5",
  6: "fill-series-6",
  accent: "fill-accent",
  refused: "fill-danger-fill",
}

export const STROKES: Record<Tone, string> = {
  1: "stroke-series-1",
  2: "stroke-series-2",
  3: "stroke-series-3",
  4: "stroke-series-4",
  5: "stroke-series-5",
  6: "stroke-series-6",
  accent: "stroke-accent",
  refused: "stroke-danger-fill",
}

/** The number of labels that fit under an axis on a phone. */
const MAX_TICKS = 4

/** Places labels under an axis: at the first point, the last, and evenly between them. */
export function placeTicks(count: number, text: (column: number) => string): { column: number; text: string }[] {
  const columns = new Set<number>()
  const steps = Math.min(MAX_TICKS, count) - 1
  for (let step = 0; step <= steps; step++) columns.add(steps > 0 ? Math.round((step * (count - 1)) / steps) : 0)
  return [...columns].map((column) => ({ column, text: text(column) }))
}
