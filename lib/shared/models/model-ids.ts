/** The alias that tracks the newest stable pinned id (spec.md, "Versioning"). */
export const ALIAS = "svc-decider-latest"

/** The first pinned id of a real decision model. */
export const FIRST_DECIDER = "svc-decider-4b-v1-1-api-1"

/** The built-in keyword scorer, used until an engine is connected. */
export const LEXICAL_BASELINE = "svc-lexical-baseline-1"

/** What starts the service with a real decision model of 3 GB, instead of the keyword scorer. */
export const REAL_MODEL_COMMAND = "ENGINE_GGUF=hf:ggml-org/lev-GGUF npm start"
