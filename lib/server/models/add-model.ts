import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { Pico } from "@/lib/shared/money"

export interface NewModel {
  id: string
  engine: "lexical" | "system-one"
  engineUrl: string | null
  /** The name under which the engine serves it. */
  engineModel: string | null
  /** Null: not sold until it is known how its tokens are counted. */
  pricePico: Pico | null
  /** "engine", "bytes-4" or a fingerprint; null: its engine's first good probe tells. */
  tokenizer: string | null
  promptTemplate: string | null
  maxQuestions: number
}

/** Adds a pinned model to the catalogue; false when the id is there already, which changes nothing. */
export async function addModel(model: NewModel): Promise<boolean> {
  if (!/^[a-z0-9][a-z0-9._-]{0,127}$/.test(model.id))
    throw new ServiceError("invalid_request", {
      param: "id",
      message: "A model id has lower-case letters, digits, '.', '_' and '-'.",
    })
  const { rowCount } = await runtime().pool.query(
    `INSERT INTO model (id, kind, engine, engine_url, engine_model, price_pico, tokenizer, prompt_template, max_questions)
     VALUES ($1, 'pinned', $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING`,
    [
      model.id,
      model.engine,
      model.engineUrl,
      model.engineModel,
      model.pricePico,
      model.tokenizer,
      model.promptTemplate,
      model.maxQuestions,
    ],
  )
  return rowCount === 1
}
