/** A model as the playground offers it. */
export interface ModelChoice {
  id: string
  /** The pinned id that answers: its own, or an alias's target. */
  pinnedId: string
  pricePerMillionUsd: string | null
  /** The built-in keyword scorer, which is no model. */
  isBaseline: boolean
}

/** A key that a run may spend as. */
export interface KeyChoice {
  id: string
  name: string
  masked: string
}
