import { z } from "zod"
import { CEILINGS } from "@/questions/limits"

const upTo = (max: number, description: string) => z.int().min(1).max(max).meta({ description })

/** An element of `data` in `GET /v1/models`. */
export const ModelEntry = z
  .strictObject({
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
      .meta({ description: "USD for 1,000,000 billable input tokens, six decimals." }),
    max_questions: upTo(CEILINGS.questions, "Questions in a request to this model."),
    max_options: upTo(CEILINGS.options, "Options in a `choice` question."),
    max_levels: upTo(CEILINGS.levels, "Levels in a `score` question."),
    max_body_bytes: upTo(CEILINGS.bodyBytes, "The largest request body, in bytes."),
  })
  .meta({ id: "ModelEntry" })
export type ModelEntry = z.infer<typeof ModelEntry>

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
    data: z.array(ModelEntry),
    models: z.array(ModelCard).meta({ description: "The active ids again, for clients written for System One." }),
  })
  .meta({ id: "ModelList" })
export type ModelList = z.infer<typeof ModelList>
