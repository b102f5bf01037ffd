import { z } from "zod"
import { FIXED_RATES } from "@/lib/server/limits/fixed-rates"
import { ALIAS, FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { CEILINGS } from "@/questions/limits"
import { COST, RATE_LIMITS, REPLAYED } from "./headers"
import { DECISION_CODES, OTHER, ofOpenAi } from "./responses"

const { failures, success } = ofOpenAi

// Generators of clients make two models of one name where members of a union have no name.
const typed = <Type extends string>(type: Type, id: string, fields: z.ZodRawShape) =>
  z.looseObject({ type: z.literal(type), ...fields }).meta({ id })
const Part = z
  .union([
    typed("input_text", "OpenAiInputText", { text: z.string() }),
    typed("output_text", "OpenAiOutputText", { text: z.string() }),
    typed("refusal", "OpenAiRefusal", { refusal: z.string() }),
    typed("input_json", "OpenAiInputJson", { data: z.unknown().meta({ description: "An object or an array." }) }),
  ])
  .meta({ id: "OpenAiPart", description: "A part of a content. Images and files are refused." })
const Content = z.union([z.string(), z.array(Part)])
const Message = z
  .looseObject({
    type: z.literal("message").optional(),
    role: z.enum(["user", "developer", "system", "assistant"]),
    content: Content,
  })
  .meta({ id: "OpenAiMessage" })
const Item = z
  .union([
    Message,
    typed("function_call", "OpenAiFunctionCall", { call_id: z.string(), name: z.string(), arguments: z.string() }),
    typed("function_call_output", "OpenAiFunctionCallOutput", { call_id: z.string(), output: Content }),
    typed("custom_tool_call", "OpenAiCustomToolCall", { call_id: z.string(), name: z.string(), input: z.string() }),
    typed("custom_tool_call_output", "OpenAiCustomToolCallOutput", { call_id: z.string(), output: Content }),
  ])
  .meta({ id: "OpenAiItem", description: "A message, a call or its output. An output follows its call." })

const Value = z.union([z.string(), z.boolean()]).meta({ description: "A text and a boolean of one text are distinct." })
const question = <Type extends string>(type: Type, id: string, fields: z.ZodRawShape) =>
  z
    .strictObject({ type: z.literal(type), name: z.string().max(256).nullish(), instructions: Content, ...fields })
    .meta({ id })
const Choice = z.looseObject({ value: Value, description: z.string().nullish() }).meta({ id: "OpenAiChoice" })
const Level = z.looseObject({ label: z.string(), description: z.string().nullish() }).meta({ id: "OpenAiLevel" })
const Question = z
  .union([
    question("predicate", "OpenAiPredicateQuestion", {}),
    question("choice", "OpenAiChoiceQuestion", { choices: z.array(Choice).min(1).max(CEILINGS.options) }),
    question("score", "OpenAiScoreQuestion", {
      levels: z.array(Level).min(1).max(CEILINGS.levels).meta({ description: "Lowest first." }),
    }),
  ])
  .meta({ id: "OpenAiQuestion" })

// The body.
z.looseObject({
  model: z.string().min(1).meta({ description: "A pinned id, the alias, or an id of `GET /openai/v1/models`." }),
  input: z.union([z.string(), z.array(Item).min(1).max(300)]).meta({ description: "What the questions are about." }),
  questions: z.array(Question).min(1).max(CEILINGS.questions),
}).meta({ id: "OpenAiDecisionRequest", description: "Unknown fields beside these are ignored." })

const probability = z.number().min(0).max(1)
const answer = <Type extends string>(type: Type, id: string, fields: z.ZodRawShape) =>
  z.strictObject({ type: z.literal(type), name: z.string().nullable(), ...fields }).meta({ id })
const OfChoice = z.strictObject({ value: Value, probability }).meta({ id: "OpenAiChoiceProbability" })
const OfLevel = z
  .strictObject({ value: z.int().min(0), label: z.string(), probability })
  .meta({ id: "OpenAiLevelProbability" })
const Answer = z
  .union([
    answer("predicate", "OpenAiPredicateAnswer", { probability }),
    answer("choice", "OpenAiChoiceAnswer", {
      choice: Value,
      confidence: probability,
      probabilities: z.array(OfChoice).min(1),
    }),
    answer("score", "OpenAiScoreAnswer", {
      score: z.number().min(0),
      confidence: probability,
      probabilities: z.array(OfLevel).min(1),
    }),
  ])
  .meta({ id: "OpenAiAnswer" })

// The body of a 200.
z.strictObject({
  model: z.string().meta({ description: "The pinned id that answered." }),
  answers: z.array(Answer).min(1).max(CEILINGS.questions).meta({ description: "In the order of the questions." }),
  usage: z.strictObject({
    input_tokens: z.int().min(0),
    input_tokens_details: z.strictObject({ cached_tokens: z.literal(0), cache_write_tokens: z.literal(0) }),
    output_tokens: z.int().min(0),
    output_tokens_details: z.strictObject({ reasoning_tokens: z.literal(0) }),
    total_tokens: z.int().min(0),
  }),
}).meta({ id: "OpenAiDecision" })

const Model = z
  .strictObject({ id: z.string(), object: z.literal("model"), created: z.int(), owned_by: z.string() })
  .meta({ id: "OpenAiModel" })
z.strictObject({ object: z.literal("list"), data: z.array(Model) }).meta({ id: "OpenAiModelList" })

const REQUEST = {
  model: ALIAS,
  input: "My parcel arrived broken. Please refund me.",
  questions: [
    { type: "predicate", name: "refund", instructions: "The customer asks for a refund." },
    { type: "choice", instructions: "Which team?", choices: [{ value: "billing" }, { value: "delivery" }] },
  ],
}
const ANSWER = {
  model: FIRST_DECIDER,
  answers: [
    { type: "predicate", name: "refund", probability: 0.97 },
    {
      type: "choice",
      name: null,
      choice: "delivery",
      confidence: 0.6,
      probabilities: [
        { value: "billing", probability: 0.2 },
        { value: "delivery", probability: 0.8 },
      ],
    },
  ],
  usage: {
    input_tokens: 31,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 33,
  },
}
const MODEL = { id: ALIAS, object: "model", created: 1_795_132_800, owned_by: "Decision service" }

const READ = `Needs a key. ${FIXED_RATES.key_reads.perSecond} requests per second per key, which do not count against its own rate limit.`

/** Returns the paths for OpenAI's clients. `decision` describes `POST /v1/decisions`, of which the first is a dialect. */
export function openAiPaths<Operation extends object>(decision: Operation) {
  const post = {
    ...decision,
    operationId: "createOpenAiDecision",
    summary: "Create a decision (OpenAI)",
    description:
      "The same as `POST /v1/decisions`, for clients of OpenAI's Decisions API: same keys, limits, prices, statuses and order of checks, and their form of request and answer. Messages and calls of tools become one state. No answer is a refusal.",
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { $ref: "#/components/schemas/OpenAiDecisionRequest" }, example: REQUEST },
      },
    },
    responses: {
      200: success("The answers. Charged, unless an `Idempotency-Key` was charged before.", "OpenAiDecision", ANSWER, {
        ...RATE_LIMITS,
        ...COST,
        ...REPLAYED,
      }),
      ...failures(DECISION_CODES, { withRateLimits: true }),
      default: OTHER,
    },
    "x-alias-of": "/v1/decisions",
  }
  const list = {
    tags: ["Models"],
    operationId: "listOpenAiModels",
    summary: "List the models (OpenAI)",
    description: `The ids and names that can be called. ${READ}`,
    security: [{ apiKey: [] }],
    responses: {
      200: success("The models.", "OpenAiModelList", { object: "list", data: [MODEL] }),
      ...failures(["invalid_api_key", "rate_limited", "internal_error", "model_unavailable"], {
        withRateLimits: false,
      }),
      default: OTHER,
    },
  }
  const one = {
    ...list,
    operationId: "getOpenAiModel",
    summary: "Read one model (OpenAI)",
    description: `The element of the list with this id. ${READ}`,
    parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", minLength: 1 } }],
    responses: {
      200: success("The model.", "OpenAiModel", MODEL),
      ...failures(["invalid_api_key", "not_found", "rate_limited", "internal_error", "model_unavailable"], {
        withRateLimits: false,
      }),
      default: OTHER,
    },
  }
  return {
    "/openai/v1/decisions": { post },
    "/openai/v1/models": { get: list },
    "/openai/v1/models/{id}": { get: one },
  }
}
