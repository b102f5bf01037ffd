import { EXAMPLE_ANSWER } from "@/lib/server/decisions/example-answer"
import { systemOneError } from "@/lib/server/dialects/system-one/error-body"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import { type ErrorCode, errorBody, ServiceError } from "@/lib/shared/errors"
import { ALIAS, FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { MAX_BODY_BYTES } from "../read-body"

const LIMITS = { max_questions: 16, max_options: 255, max_levels: 10, max_body_bytes: MAX_BODY_BYTES }
/** What the alias and its pinned model have in common, also for clients written for OpenRouter. */
const LISTED = {
  status: "active",
  replacement_model: null,
  price_per_million_input_tokens_usd: "0.020000",
  ...LIMITS,
  canonical_slug: FIRST_DECIDER,
  created: 1_795_132_800,
  pricing: { prompt: "0.000000020000", completion: "0" },
  architecture: { input_modalities: ["text"], output_modalities: ["decisions"], modality: "text->decisions" },
  top_provider: { is_moderated: false },
  links: { details: "/v1/models" },
  context_length: null,
  default_parameters: null,
  per_request_limits: null,
  supported_parameters: [],
  supported_voices: null,
}

export const MODELS_EXAMPLE = {
  data: [
    { id: ALIAS, kind: "alias", target_model: FIRST_DECIDER, name: ALIAS, ...LISTED },
    { id: FIRST_DECIDER, kind: "pinned", target_model: null, name: FIRST_DECIDER, ...LISTED },
  ],
  models: [
    { name: ALIAS, description: `Alias of ${FIRST_DECIDER}`, release_date: "2026-11-20" },
    { name: FIRST_DECIDER, description: "Pinned model", release_date: "2026-11-20" },
  ],
  total_count: 2,
  links: { next: null },
}

const REFUSALS: Partial<Record<ErrorCode, ConstructorParameters<typeof ServiceError>[1]>> = {
  invalid_request: {
    param: "questions.topic.criteria",
    message: "A choice question has 1 to 255 options.",
  },
  invalid_model: { param: "model", extra: { valid_models: [ALIAS, FIRST_DECIDER] } },
  insufficient_balance: { extra: { required_usd: "0.020000", available_usd: "0.004120", topup_url: null } },
  key_limit_reached: { extra: { limit_usd: "5.000000", resets_at: "2026-12-02T00:00:00.000Z" } },
  model_retired: { extra: { replacement_model: FIRST_DECIDER } },
  request_too_large: { param: "body" },
}

/** Returns an example body of an error, created by the same code as real responses. */
export const errorExample = (code: ErrorCode, bodyOf: (error: ServiceError) => object = errorBody) =>
  bodyOf(new ServiceError(code, REFUSALS[code]))

const { state: STATE, ...ASKED } = EXAMPLE_REQUEST

/** A batch whose balance pays for one of its two states. */
export const BATCH_REQUEST = { ...ASKED, states: [STATE, "Where is my invoice?"] }
export const BATCH_RESPONSE = { results: [EXAMPLE_ANSWER, errorExample("insufficient_balance", systemOneError)] }
