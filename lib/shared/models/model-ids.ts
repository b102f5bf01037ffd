/** The alias that tracks the newest stable pinned id (spec.md, "Versioning"). */
export const ALIAS = "svc-decider-latest"

/** The first pinned id of a real decision model. */
export const FIRST_DECIDER = "svc-decider-4b-v1-1-api-1"

/** The built-in keyword rules, which answer until an engine is connected. */
export const LEXICAL_BASELINE = "svc-lexical-baseline-1"
