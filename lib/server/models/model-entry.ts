import { z } from "zod"
import { CEILINGS } from "@/questions/limits"

const upTo = (max: number, description: string) => z.int().min(1).max(max).meta({ description })

/** A model as spec.md lists it. */
export const ModelEntry = z.strictObject({
  id: z.string().min(1).meta({ description: "The id to send as `model`." }),
  kind: z.enum(["alias", "pinned"]).meta({
    description: "`pinned` is one fixed model for ever, `alias` points at the newest stable pinned id.",
  }),
  target_model: z
    .string()
    .nullable()
    .meta({ description: "The pinned id that an alias points at now; null for pinned ids." }),
  status: z.enum(["active", "retired"]).meta({
    description: "A request that names a retired id fails with `410 model_retired`. The alias is never retired.",
  }),
  replacement_model: z
    .string()
    .nullable()
    .meta({ description: "The successor of a retired id, or null when there is none." }),
  price_per_million_input_tokens_usd: z
    .string()
    .regex(/^[0-9]+\.[0-9]{6}$/)
    .nullable()
    .meta({ description: "USD per 1,000,000 billable input tokens, six decimals. Null while no price is set." }),
  max_questions: upTo(CEILINGS.questions, "Questions in a request to this model."),
  max_options: upTo(CEILINGS.options, "Options in a `choice` question."),
  max_levels: upTo(CEILINGS.levels, "Levels in a `score` question."),
  max_body_bytes: upTo(CEILINGS.bodyBytes, "The largest request body, in bytes."),
})
export type ModelEntry = z.infer<typeof ModelEntry>

const nothing = (description: string) => z.null().meta({ description: `${description} Always null.` })

/** What OpenRouter's clients also read of a model. Where this service has nothing to report, a value is null or empty. */
const ForOpenRouter = z.strictObject({
  name: z.string().meta({ description: "The id again." }),
  canonical_slug: z.string().meta({ description: "The pinned id: itself, or the target of the alias." }),
  created: z.int().meta({ description: "When the id was added to this service, in seconds since 1970." }),
  pricing: z
    .strictObject({ prompt: z.string(), completion: z.string() })
    .meta({ description: "USD per token. `-1`: no price is set. Output is free." }),
  architecture: z
    .strictObject({
      input_modalities: z.array(z.string()),
      output_modalities: z.array(z.string()),
      modality: z.string(),
    })
    .meta({ description: "Text in, decisions out." }),
  top_provider: z.strictObject({ is_moderated: z.boolean() }).meta({ description: "Never moderated." }),
  links: z.strictObject({ details: z.string() }).meta({ description: "The path of the list of models." }),
  context_length: nothing("See the guide for the input limit."),
  default_parameters: nothing("A decision has no parameters."),
  per_request_limits: nothing("See `max_questions` and the other limits."),
  supported_parameters: z.array(z.string()).meta({ description: "Always empty." }),
  supported_voices: nothing("A decision has no voice."),
})

/** An element of `data` in `GET /v1/models`. */
export const ListedModel = z.strictObject({ ...ModelEntry.shape, ...ForOpenRouter.shape }).meta({ id: "ModelEntry" })
export type ListedModel = z.infer<typeof ListedModel>

/** An element of `models` in `GET /v1/models`, which clients written for System One read. */
export const ModelCard = z
  .strictObject({
    name: z.string().min(1).meta({ description: "The id to send as `model`." }),
    description: z.string().meta({ description: "Whether the id is pinned or the alias." }),
    release_date: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .meta({ description: "The UTC day on which the id was added to this service." }),
  })
  .meta({ id: "ModelCard" })
export type ModelCard = z.infer<typeof ModelCard>

/** The body of a 200 of `GET /v1/models`. */
export const ModelList = z
  .strictObject({
    data: z.array(ListedModel),
    models: z.array(ModelCard).meta({ description: "The active ids again, for clients written for System One." }),
    total_count: z.int().meta({ description: "The length of `data`, for clients written for OpenRouter." }),
    links: z
      .strictObject({ next: z.null() })
      .meta({ description: "Always null, because the list has one page. For clients written for OpenRouter." }),
  })
  .meta({ id: "ModelList" })
export type ModelList = z.infer<typeof ModelList>
