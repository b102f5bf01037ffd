import { z } from "zod"
import { EXAMPLE_ANSWER } from "@/lib/server/decisions/example-answer"
import { FIXED_RATES } from "@/lib/server/limits/fixed-rates"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import { MODELS_EXAMPLE } from "./examples"
import { COST, RATE_LIMITS, REPLAYED } from "./headers"
import { DECISION_CODES, ofOpenRouter, otherIn } from "./responses"
import { SystemOneResponse } from "./system-one"

const usd = (description: string) => z.number().meta({ description: `${description} USD, exact.` })
const never = (schema: z.ZodType) => schema.meta({ description: "This service has none." })

// The body of every error.
z.strictObject({
  error: z.strictObject({
    code: z.int().meta({ description: "The HTTP status." }),
    message: z.string(),
    metadata: z.looseObject({ type: z.string(), code: z.string() }).meta({
      description: "The rest of the error object of `POST /v1/decisions`.",
    }),
  }),
}).meta({ id: "OpenRouterError" })

// The body of a 200 of a decision.
z.strictObject({
  id: z.string().meta({ description: "The value of `x-request-id`." }),
  provider: z.string().meta({ description: "The name of this service." }),
  ...SystemOneResponse.shape,
  usage: z.strictObject({
    input_tokens: z.int().min(0),
    input_tokens_details: z.strictObject({ cached_tokens: z.literal(0) }),
    output_tokens: z.int().min(0),
    cost: usd("What the request was charged: zero for an answer that was computed again."),
  }),
}).meta({ id: "OpenRouterResponse" })

// The body of a 200 of `GET /api/v1/key`.
z.strictObject({
  data: z.strictObject({
    label: z.string().meta({ description: "The first and last characters of the key." }),
    limit: usd("The spend limit; null without one.").nullable(),
    limit_remaining: usd("What is left of it in its period.").nullable(),
    limit_reset: z.literal("daily").nullable().meta({ description: "Null for a lifetime limit, and without one." }),
    usage: usd("What the key was ever charged."),
    usage_daily: usd("The same since the start of this UTC day."),
    usage_weekly: usd("The same since Monday, UTC."),
    usage_monthly: usd("The same since the start of this month, UTC."),
    expires_at: z.iso.datetime().nullable(),
    rate_limit: z.strictObject({ requests: z.int(), interval: z.literal("1s"), note: z.string() }),
    byok_usage: never(z.literal(0)),
    byok_usage_daily: never(z.literal(0)),
    byok_usage_weekly: never(z.literal(0)),
    byok_usage_monthly: never(z.literal(0)),
    include_byok_in_limit: never(z.literal(false)),
    is_free_tier: never(z.literal(false)),
    is_management_key: never(z.literal(false)),
    is_provisioning_key: never(z.literal(false)),
    creator_user_id: never(z.null()),
    organization_id: never(z.null()),
    workspace_id: never(z.null()),
    free_model_daily_requests: never(
      z.strictObject({ limit: z.literal(0), remaining: z.literal(0), used: z.literal(0) }),
    ),
    allowed_data_regions: z.array(z.literal("global")),
  }),
}).meta({ id: "OpenRouterKey" })

const ANSWER = {
  id: "req_01kb3c5v2f7y9qn4h8m6x0t1ds",
  provider: "Decision service",
  ...EXAMPLE_ANSWER,
  usage: { ...EXAMPLE_ANSWER.usage, input_tokens_details: { cached_tokens: 0 }, cost: 0.00000108 },
}

const KEY = {
  data: {
    label: "svcd_4pQm…x9Tz",
    limit: 5,
    limit_remaining: 3.75,
    limit_reset: "daily",
    usage: 41.5,
    usage_daily: 1.25,
    usage_weekly: 6.5,
    usage_monthly: 20,
    expires_at: null,
    rate_limit: { requests: 10, interval: "1s", note: "Of this key alone." },
    byok_usage: 0,
    byok_usage_daily: 0,
    byok_usage_weekly: 0,
    byok_usage_monthly: 0,
    include_byok_in_limit: false,
    is_free_tier: false,
    is_management_key: false,
    is_provisioning_key: false,
    creator_user_id: null,
    organization_id: null,
    workspace_id: null,
    free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
    allowed_data_regions: ["global"],
  },
}

const queryOf = (name: string, description: string, schema: object) => ({ name, in: "query", description, schema })

const models = {
  get: {
    tags: ["Models"],
    operationId: "listOpenRouterModels",
    summary: "List the models (OpenRouter)",
    description:
      "The list of `GET /v1/models`, under its rate limit, with each name that OpenRouter's clients may send as a model of its own. Needs no key. Other parameters are ignored.",
    security: [],
    parameters: [
      queryOf("output_modalities", "Without `decisions` or `all` among them, the list is empty.", { type: "string" }),
      queryOf("offset", "How many models to leave out at the start.", { type: "integer", minimum: 0 }),
      queryOf("limit", "The maximum number of models.", { type: "integer", minimum: 0 }),
    ],
    responses: {
      200: ofOpenRouter.success("The models.", "ModelList", MODELS_EXAMPLE),
      ...ofOpenRouter.failures(["rate_limited", "internal_error", "model_unavailable"], { withRateLimits: false }),
      default: otherIn("OpenRouterError"),
    },
  },
}

const key = {
  get: {
    tags: ["Keys"],
    operationId: "readOpenRouterKey",
    summary: "Read the key (OpenRouter)",
    description: `What the key that asks may spend and has spent. ${FIXED_RATES.key_reads.perSecond} requests per second per key, which do not count against its own rate limit. A key that is restricted to routes needs one of OpenRouter's.`,
    security: [{ apiKey: [] }],
    responses: {
      200: ofOpenRouter.success("The key.", "OpenRouterKey", KEY),
      ...ofOpenRouter.failures(["invalid_api_key", "rate_limited", "internal_error"], { withRateLimits: false }),
      default: otherIn("OpenRouterError"),
    },
  },
}

/** Returns the paths for OpenRouter's clients. `decision` describes `POST /v1/decisions`, of which three are a dialect. */
export function openRouterPaths<Operation extends object>(decision: Operation) {
  const at = (operationId: string, path: string) => ({
    post: {
      ...decision,
      operationId,
      summary: `Create a decision (OpenRouter, ${path})`,
      description:
        "The same as `POST /v1/systemone`, for clients written for OpenRouter: names of models are theirs, the answer has an id and its cost, and `code` of an error is the status. `provider`, `session_id`, `trace` and `user` are ignored, and images are refused.",
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: { $ref: "#/components/schemas/SystemOneRequest" }, example: EXAMPLE_REQUEST },
        },
      },
      responses: {
        200: ofOpenRouter.success(
          "The answers. Charged, unless an `Idempotency-Key` was charged before.",
          "OpenRouterResponse",
          ANSWER,
          { ...RATE_LIMITS, ...COST, ...REPLAYED },
        ),
        ...ofOpenRouter.failures(DECISION_CODES, { withRateLimits: true }),
        default: otherIn("OpenRouterError"),
      },
      "x-alias-of": "/v1/decisions",
    },
  })
  return {
    "/api/alpha/decisions": at("createOpenRouterAlphaDecision", "alpha"),
    "/api/v1/systemone": at("createOpenRouterSystemOneDecision", "System One"),
    "/api/v1/decisions": at("createOpenRouterDecision", "decisions"),
    "/api/v1/models": models,
    "/api/v1/key": key,
  }
}
