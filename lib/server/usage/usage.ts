/** The sums of some requests. Costs are exact USD texts. */
export interface Figures {
  /** Answered and charged. */
  decisions: number
  /** Refused or failed, and not charged. */
  refused: number
  tokens: number
  costUsd: string
  /** Of answered requests; null without one. Exact up to 11 ms, at most 9 % off above. */
  p50Ms: number | null
  p95Ms: number | null
}

export interface UsagePoint extends Figures {
  /** The start, as ISO text. */
  at: string
  errors: Record<string, number>
}

export interface UsageGroup extends Figures {
  /** `key_…`, a pinned id, or null for requests without a known model. */
  id: string | null
  name: string
}

/** The charges that have a tag. One with several tags counts for each. */
export interface UsageTag extends Omit<Figures, "refused"> {
  tag: string
}

export interface ErrorCount {
  status: number
  code: string
  requests: number
}

/** The figures of one key or model by hour or day. All but the five most expensive share one layer. */
export interface UsageLayer {
  name: string
  points: { decisions: number; tokens: number; costUsd: string }[]
}

export interface Usage {
  asOf: string
  unit: "hour" | "day"
  /** UTC days, both included. */
  firstDay: string
  lastDay: string
  total: Figures
  /** Every hour or day of the range, oldest first. */
  points: UsagePoint[]
  /** Most expensive first. */
  keys: UsageGroup[]
  models: UsageGroup[]
  /** The 100 most expensive. */
  tags: UsageTag[]
  /** Most frequent first. */
  errors: ErrorCount[]
  /** Empty without `by`, and when `result` keeps no answered requests. */
  layers: UsageLayer[]
}
