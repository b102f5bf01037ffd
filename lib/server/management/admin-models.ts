import { z } from "zod"
import { listModels } from "@/lib/server/models/list-models"
import { ModelEntry } from "@/lib/server/models/model-entry"
import { retireModel } from "@/lib/server/models/retire-model"
import { setLimits, setPrice } from "@/lib/server/models/set-model"
import type { OperatorActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { ServiceError } from "@/lib/shared/errors"
import { PricePerMillion } from "@/lib/shared/operator/forms"
import { CEILINGS } from "@/questions/limits"
import { Done } from "./admin-fields"
import { admin } from "./admin-operation"
import type { Operation } from "./operation"

const ModelView = z.strictObject({
  ...ModelEntry.shape,
  available: z.boolean().meta({ description: "Whether it can be called now, as far as this service knows." }),
  reason: z.string().nullable().meta({ description: "Why it cannot be called; else null." }),
})
export const ModelId = z.string().min(1).max(200)
type VersionRow = Row<
  "Model",
  | "status"
  | "target_id"
  | "replacement_id"
  | "price_pico"
  | "max_questions"
  | "max_options"
  | "max_levels"
  | "max_body_bytes"
>

const VERSION = `
  SELECT status, target_id, replacement_id, price_pico, max_questions, max_options, max_levels, max_body_bytes
  FROM model WHERE id = $1`

/** What programs change of a model, without what probes find. */
const versionOfModel: Operation<OperatorActor>["version"] = async (client, { model }, lock) => {
  const { rows } = await client.query<VersionRow>(`${VERSION} ${lock}`, [model])
  if (!rows[0]) throw new ServiceError("invalid_model")
  return JSON.stringify(rows[0])
}

const view = ({ available, reason, ...model }: Awaited<ReturnType<typeof listModels>>[number]) => ({
  ...ModelEntry.parse(Object.fromEntries(Object.entries(model).filter(([name]) => name in ModelEntry.shape))),
  available,
  reason,
})

const READS = { tag: "Models", right: "service.read", verbs: ["models/list-models.ts listModels"] } as const
const CHANGES = { tag: "Models", right: "service.operate", version: versionOfModel } as const
const ONE = "/models/{model}"

const READ: readonly Operation<OperatorActor>[] = [
  admin({
    ...READS,
    id: "listModels",
    method: "GET",
    path: "/models",
    summary: "List models",
    description: "Returns every model, the alias first.",
    Result: z.strictObject({ data: z.array(ModelView) }),
    run: async ({ runtime, actor }) => ({ data: (await listModels(runtime, actor)).map(view) }),
  }),
  admin({
    ...READS,
    id: "getModel",
    method: "GET",
    path: ONE,
    summary: "Read a model",
    version: versionOfModel,
    Result: ModelView,
    run: async ({ runtime, actor, ids }) => {
      const model = (await listModels(runtime, actor)).find(({ id }) => id === ids.model)
      if (!model) throw new ServiceError("invalid_model")
      return view(model)
    },
  }),
]

const upTo = (max: number) => z.int().min(1).max(max).optional()

const CHANGE: readonly Operation<OperatorActor>[] = [
  admin({
    ...CHANGES,
    id: "setModelPrice",
    method: "PUT",
    path: `${ONE}/price`,
    summary: "Set the price of a model",
    description: "Requests in flight keep the price of their hold.",
    verbs: ["models/set-model.ts setPrice"],
    Body: z.strictObject({
      price_per_million_input_tokens_usd: PricePerMillion.meta({
        description: "USD per million input tokens, with at most six decimals.",
      }),
    }),
    Result: Done,
    run: async ({ runtime, actor, ids: { model: id = "" }, body }) => {
      await setPrice(runtime, actor, { id, pricePico: body.price_per_million_input_tokens_usd })
      return { id }
    },
  }),
  admin({
    ...CHANGES,
    id: "setModelLimits",
    method: "PUT",
    path: `${ONE}/limits`,
    summary: "Set the limits of a model",
    description: "A limit that is left out stays.",
    verbs: ["models/set-model.ts setLimits"],
    Body: z.strictObject({
      max_questions: upTo(CEILINGS.questions),
      max_options: upTo(CEILINGS.options),
      max_levels: upTo(CEILINGS.levels),
      max_body_bytes: upTo(CEILINGS.bodyBytes),
    }),
    Result: Done,
    run: async ({ runtime, actor, ids: { model: id = "" }, body }) => {
      const { max_questions: maxQuestions, max_options: maxOptions, max_levels: maxLevels } = body
      const given = { maxQuestions, maxOptions, maxLevels, maxBodyBytes: body.max_body_bytes }
      await setLimits(runtime, actor, { id, ...given })
      return { id }
    },
  }),
  admin({
    ...CHANGES,
    id: "retireModel",
    method: "POST",
    path: `${ONE}/retire`,
    summary: "Retire a model",
    description: "Retires a pinned model permanently. The alias must point at another one.",
    verbs: ["models/retire-model.ts retireModel"],
    Body: z.strictObject({ replacement_model: ModelId.nullable().default(null) }),
    Result: Done,
    run: async ({ runtime, actor, ids: { model: id = "" }, body }) => {
      await retireModel(runtime, actor, { id, replacementId: body.replacement_model })
      return { id }
    },
  }),
]

/** The models of the admin API. */
export const MODEL_OPERATIONS: readonly Operation<OperatorActor>[] = [...READ, ...CHANGE]
