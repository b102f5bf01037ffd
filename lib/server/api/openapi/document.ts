import { z } from "zod"
import { EXAMPLE_ANSWER } from "@/lib/server/decisions/example-answer"
import { MAX_STATES } from "@/lib/server/dialects/system-one/read-batch"
import { FIXED_RATES } from "@/lib/server/limits/fixed-rates"
import { EXAMPLE_REQUEST } from "@/lib/shared/decisions/example-request"
import { ALIAS, FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { TAG_HEADER } from "@/lib/shared/tags/tags"
import { MAX_BODY_BYTES } from "../read-body"
import "./decision-request"
import "./decision-response"
import "./error"
import { BATCH_REQUEST, BATCH_RESPONSE, MODELS_EXAMPLE } from "./examples"
import { COST, RATE_LIMITS, REPLAYED } from "./headers"
import { openAiPaths } from "./openai"
import { openRouterPaths } from "./openrouter"
import "@/lib/server/models/model-entry"
import { outcomes } from "./outcomes"
import { DECISION_CODES, errorUnions, LICENSE, OTHER, ofSystemOne, ofV1, otherIn } from "./responses"
import "./system-one"

const { failures, success } = ofV1

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Removes what zod adds without meaning: empty members, JavaScript's largest integer, and the pattern of a date. */
function tidy({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  const { properties } = jsonSchema
  if (properties && Object.keys(properties).length === 0) delete jsonSchema.properties
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern
}

/** Returns every schema that has an `id`. Importing a file registers its schemas. */
export function components(): Record<string, unknown> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    target: "draft-2020-12",
    uri: (id) => `#/components/schemas/${id}`,
    override: tidy,
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _uri, id: _name, ...schema }]) => [name, schema]),
  )
}

const INFO = `Answers typed questions about a state with probabilities.

- Validation failures are 400, never 422. No error is charged; a 200 is, by \`usage.input_tokens\`, each time, unless its \`Idempotency-Key\` was charged before.
- A request that fails several checks gets the first of these: body over the global limit (413), key (401), shape and global limits (400), model (400, 410, 503), the model's own body limit (413) and limits (400), rate limit (429), key limit (402), balance (402), the model call (400, 429, 502, 503, 504).
- Retry 429 after \`Retry-After\` seconds, and 500, 502, 503, 504 with exponential backoff and jitter. Do not retry 400, 401, 402, 410, 413 unchanged.
- A decision gets about 90 seconds, then 504; no request is held open for more than 120. Give your client 130.
- \`${ALIAS}\` is the alias of the newest stable pinned id; a pinned id never changes meaning. Probabilities of different pinned models cannot be compared directly: record the \`model\` of each response.`

const CREATE = `Answers all questions about \`state\`, each on its own. The body may have ${MAX_BODY_BYTES} bytes (${MAX_BODY_BYTES / 2 ** 20} MiB), less where the model says so. With \`Content-Encoding\` \`zstd\`, \`gzip\`, \`deflate\` or \`br\` the limit holds for the encoded and for the decoded bytes; over 1 MiB may not decode to more than 200 times the encoded length.

The input length is limited per question, in the model's own tokens: \`state\`, that question's \`instructions\` and \`criteria\` and a small fixed prompt must fit together (\`${FIRST_DECIDER}\`: 16,384). Over it: \`400 invalid_request\` without \`param\`.

Rates are 10 requests per second per key and 20 per account, unless the operator set others, in windows of one second. Every request counts once its key is accepted, also one that is refused later; one that its own key's limit refuses does not count against the account.

Without an \`Idempotency-Key\`, the same request again is a new request and is charged again. With one, the same bytes are charged once within 24 hours. A client's \`x-request-id\` is ignored.`

const IDEMPOTENCY = `A name for this request that the account has not used for another one, such as a UUID. Within 24 hours, the same key with the same body is charged once, on every route and process. After the charge the answer can be computed again 5 times, by the pinned model of the charge, and may differ slightly. A malformed key, a key of another body and a sixth computation are \`400 invalid_request\` with \`param\` \`Idempotency-Key\`. While another request with the key is being answered: \`429 capacity_exceeded\`.`

const TAGS =
  "Cost centres of this request: up to five, separated by commas, each a name and a value of 1 to 64 letters, digits, `.`, `_` or `-`. They add to the tags of the key; one of the same name replaces the key's. A malformed header is `400 invalid_request` with `param` `X-Svc-Tag`."

const decisions = {
  post: {
    tags: ["Decisions"],
    operationId: "createDecision",
    summary: "Create a decision",
    description: CREATE,
    security: [{ apiKey: [] }],
    parameters: [
      {
        name: "Idempotency-Key",
        in: "header",
        description: IDEMPOTENCY,
        schema: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" },
      },
      { name: TAG_HEADER, in: "header", description: TAGS, schema: { type: "string" }, example: "team=search" },
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { $ref: "#/components/schemas/DecisionRequest" }, example: EXAMPLE_REQUEST },
      },
    },
    responses: {
      200: success(
        "The answers. Charged, unless an `Idempotency-Key` was charged before.",
        "DecisionResponse",
        EXAMPLE_ANSWER,
        { ...RATE_LIMITS, ...COST, ...REPLAYED },
      ),
      ...failures(DECISION_CODES, { withRateLimits: true }),
      default: OTHER,
    },
  },
}

const systemOne = {
  post: {
    ...decisions.post,
    operationId: "createSystemOneDecision",
    summary: "Create a decision (System One)",
    description:
      "The same as `POST /v1/decisions`, for clients written for System One: same answers, keys, limits, prices, statuses and order of checks. The body may be wider, models have more names, and errors have `detail` too.",
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { $ref: "#/components/schemas/SystemOneRequest" }, example: EXAMPLE_REQUEST },
      },
    },
    responses: {
      200: ofSystemOne.success(
        "The answers. Charged, unless an `Idempotency-Key` was charged before.",
        "SystemOneResponse",
        EXAMPLE_ANSWER,
        { ...RATE_LIMITS, ...COST, ...REPLAYED },
      ),
      ...ofSystemOne.failures(DECISION_CODES, { withRateLimits: true }),
      default: otherIn("SystemOneError"),
    },
    "x-alias-of": "/v1/decisions",
  },
}

const BATCH = `Asks the same questions about 1 to ${MAX_STATES} states: \`states\` instead of \`state\`. Each state is answered like a request of its own to \`POST /v1/systemone\`, with its own hold, charge and place in the statement. States run concurrently, and batches leave a part of the model to single requests.

The batch is refused as a whole for a fault of the batch, and nothing is held. A fault of one state, such as too long an input or a balance that ran out meanwhile, is the error in its place of \`results\`. The status is 200 when at least one state was answered, otherwise that of the first state's error. \`x-svc-cost-usd\` is the sum.

Each state counts as a request. A batch is admitted when the window has room for one; its others count in this window and the following ones, which stay closed until they are paid off. \`x-ratelimit-reset\` and \`Retry-After\` then have more than one second. The whole batch has about 90 seconds: states that have no answer by then get \`upstream_timeout\`. With the questions of each, the states have at most \`max_body_bytes\` together.

An \`Idempotency-Key\` is that of the whole batch. A retry with the same body charges only the states that were not charged before, and answers the others again. The request ids of the states differ from \`x-request-id\` in the last two characters.`

const systemOneBatch = {
  post: {
    ...decisions.post,
    operationId: "createSystemOneBatch",
    summary: "Create a batch of decisions (System One)",
    description: BATCH,
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { $ref: "#/components/schemas/SystemOneBatchRequest" }, example: BATCH_REQUEST },
      },
    },
    responses: {
      200: ofSystemOne.success(
        "The results, in the order of the states. Each answered state was charged.",
        "SystemOneBatchResponse",
        BATCH_RESPONSE,
        { ...RATE_LIMITS, ...COST, ...REPLAYED },
      ),
      ...ofSystemOne.failures(DECISION_CODES, { withRateLimits: true }),
      default: otherIn("SystemOneError"),
    },
  },
}

const models = {
  get: {
    tags: ["Models"],
    operationId: "listModels",
    summary: "List the models",
    description: `Every model id with its status, effective limits and price. Needs no key; ${FIXED_RATES.models.perSecond} requests per second per client address, which count against no key or account. Read limits and prices from here rather than writing them into a program.`,
    security: [],
    responses: {
      200: success("The models.", "ModelList", MODELS_EXAMPLE),
      ...failures(["rate_limited", "internal_error", "model_unavailable"], { withRateLimits: false }),
      default: OTHER,
    },
  },
}

const model = {
  get: {
    tags: ["Models"],
    operationId: "getModel",
    summary: "Read one model",
    description:
      "The element of the list with this id, under the list's rate limit. An id that is not listed answers 404.",
    security: [],
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", minLength: 1 } }],
    responses: {
      200: success("The model.", "ModelEntry", MODELS_EXAMPLE.data[0]),
      ...failures(["not_found", "rate_limited", "internal_error", "model_unavailable"], { withRateLimits: false }),
      default: OTHER,
    },
  },
}

/** Returns the OpenAPI 3.1 document of the endpoints and the alias, made from the zod schemas and the error table. */
export const openApiDocument = () => ({
  openapi: "3.1.1",
  info: { title: "Decision service", version: "1.0.0", description: INFO, license: LICENSE },
  jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
  servers: [{ url: "/" }],
  tags: [
    { name: "Decisions", description: "Questions about a state, answered with probabilities." },
    { name: "Outcomes", description: "What really happened, to compare with predictions." },
    { name: "Models", description: "The models that answer, with their limits and prices." },
    { name: "Keys", description: "What a key may spend." },
  ],
  paths: {
    "/v1/decisions": decisions,
    "/v1/systemone": systemOne,
    "/v1/systemone/batch": systemOneBatch,
    "/v1/outcomes": outcomes,
    "/v1/models": models,
    "/v1/models/{id}": model,
    ...openRouterPaths(decisions.post),
    ...openAiPaths(decisions.post),
  },
  components: {
    securitySchemes: {
      apiKey: {
        type: "http",
        scheme: "bearer",
        description: "A decision key, which starts with `svcd_`; made in the console under API keys.",
      },
    },
    schemas: { ...components(), ...errorUnions() },
  },
})
