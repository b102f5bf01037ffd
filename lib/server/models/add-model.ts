import type { ClientBase, Pool } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import type { EngineKind } from "@/lib/server/engines/engine"
import { LABEL_PROMPT, LABEL_PROMPT_BOTH_ORDERS } from "@/lib/server/engines/labels/prompt"
import { PROMPT_TEMPLATE } from "@/lib/server/engines/system-one/request-body"
import { BadTokenizer } from "@/lib/server/engines/tokenizer/tokenizer-thread"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { Pico } from "@/lib/shared/money"
import { apiKeyFor } from "./load-catalogue"
import { findTokenizer } from "./tokenizers"

export const DEFAULT_MAX_QUESTIONS = 16

export interface NewModel {
  id: string
  engine: EngineKind
  engineUrl: string | null
  engineModel: string | null
  /** pico-USD per token. Null: the model is not sold until it is known how its tokens are counted. */
  pricePico: Pico | null
  /** How tokens are counted: "engine", "bytes-4" or a tokenizer's fingerprint. Null: the engine's first successful probe decides. */
  tokenizer: string | null
  promptTemplate: string | null
  maxQuestions: number
  /** `hf:OWNER/REPO@COMMIT:FILE`, of a model that the service runs itself. */
  source?: string | null
}

/** Inserts a pinned model. Returns false and changes nothing when the id exists. */
export async function insertPinnedModel(db: Pool | ClientBase, model: NewModel): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH added AS (
       INSERT INTO model (id, kind, engine, engine_url, engine_model, price_pico, tokenizer, prompt_template, max_questions, source)
       VALUES ($1, 'pinned', $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING RETURNING id, engine_url
     ), placed AS (
       INSERT INTO model_address (model_id, url) SELECT id, engine_url FROM added WHERE engine_url IS NOT NULL
     )
     SELECT FROM added`,
    [
      model.id,
      model.engine,
      model.engineUrl,
      model.engineModel,
      model.pricePico,
      model.tokenizer,
      model.promptTemplate,
      model.maxQuestions,
      model.source ?? null,
    ],
  )
  return rowCount === 1
}

export const idExists = (): ServiceError =>
  new ServiceError("invalid_request", {
    param: "id",
    message: "A model with this id exists, and a pinned id never changes. Use another id.",
  })

export interface AddModelInput {
  id: string
  engineUrl: string
  engineModel: string
  /** pico-USD per token. */
  pricePico: Pico
  /** A folder with the model's tokenizer; null: the engine counts tokens, or 4 bytes count as one. */
  tokenizerFolder: string | null
  /** "labels": the engine serves an ordinary chat model. */
  engine: "system-one" | "labels"
  /** Whether the labels of a question about options are read twice, the second time in reverse order. */
  bothOrders: boolean
}

/** Returns the version of the texts that a new model is pinned to. */
export function templateOf(engine: EngineKind, bothOrders: boolean): string {
  if (engine !== "labels") return PROMPT_TEMPLATE
  return bothOrders ? LABEL_PROMPT_BOTH_ORDERS : LABEL_PROMPT
}

/**
 * Adds a pinned model on an engine of the operator. For the operator. Throws `invalid_request` for an existing id, an unusable
 * tokenizer, a tokenizer of a model that is read by its labels, and `bothOrders` for any other model.
 */
export async function addModel(
  runtime: Runtime,
  actor: Actor,
  { tokenizerFolder: folder, ...model }: AddModelInput,
): Promise<void> {
  requireRight(actor, "service.operate")
  const { id, engineUrl, engine, bothOrders } = model
  if (bothOrders && engine !== "labels")
    throw new ServiceError("invalid_request", {
      message: "Only a model that is read by its labels is asked in both orders.",
    })
  if (engine === "labels" && folder !== null)
    throw new ServiceError("invalid_request", {
      message: "The engine counts the tokens of a model that is read by its labels. Leave out the tokenizer.",
    })
  const tokenizer =
    engine === "labels"
      ? null
      : await findTokenizer(runtime, { engineUrl, apiKey: apiKeyFor(runtime, engineUrl), folder }).catch((thrown) => {
          if (!(thrown instanceof BadTokenizer)) throw thrown
          throw new ServiceError("invalid_request", { message: `The folder cannot be used: ${thrown.message}.` })
        })
  await inTransaction(runtime.pool, async (client) => {
    const added = await insertPinnedModel(client, {
      ...model,
      tokenizer,
      promptTemplate: templateOf(engine, bothOrders),
      maxQuestions: DEFAULT_MAX_QUESTIONS,
    })
    if (!added) throw idExists()
    await recordAudit(client, actor, { action: "model.add", subject: id })
  })
}
