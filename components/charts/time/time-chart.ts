/** From the strongest tone to the palest and to grey; `refused` stands for what was not answered. */
export type Tone = 1 | 2 | 3 | 4 | 5 | 6 | "refused"

export interface TimeLayer {
  name: string
  tone: Tone
  /** For drawing alone; null where there is nothing. */
  values: readonly (number | null)[]
  /** What it comes to over the whole span, for the legend. */
  sum?: string
}

/** A chart over time as it is drawn and as it is read: everything shown is here as text. */
export interface TimeChart {
  title: string
  /** What the columns are, above the first column of the table: `Day (UTC)`. */
  head: string
  layers: readonly TimeLayer[]
  /** One for each hour or day: its name, and a text for each layer. */
  points: readonly { label: string; texts: readonly string[] }[]
  /** How many columns there is room for: today's hours that are to come have theirs, and no point. */
  room: number
  /** What stands under the axis, by the place of its point. */
  ticks: readonly { place: number; text: string }[]
  /** A value of the scale as text. */
  formatTick: (value: number) => string
}
