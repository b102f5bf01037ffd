import { LABEL_PROMPT } from "@/lib/server/engines/labels/prompt"
import { OWN_ENGINE_URL } from "@/lib/server/engines/own-engine-url"
import { ENGINE_COUNTS } from "@/lib/server/engines/system-one/counter-for"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { BadSetting } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALIAS, FIRST_DECIDER, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { DEFAULT_MAX_QUESTIONS, insertPinnedModel, templateOf } from "./add-model"
import { pointAlias } from "./alias"

/** The model that the service's own engine has loaded. */
export interface OwnModel {
  /** The file's name without its ending. */
  served: string
  kind: "decisions" | "chat"
}

const MAX_ID_LETTERS = 100

/** Returns the pinned id of a file: its name in lower case, and for a chat model the version of the prompt that reads its labels. */
export function ownModelId({ served, kind }: OwnModel): string {
  const name = served
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, MAX_ID_LETTERS)
  const id = name === "" || [ALIAS, FIRST_DECIDER, LEXICAL_BASELINE].includes(name) ? `gguf-${name}` : name
  return kind === "chat" ? `${id}-${LABEL_PROMPT}` : id
}

async function findUrl({ pool }: Runtime, id: string): Promise<string | null | undefined> {
  const { rows } = await pool.query<Row<"Model", "engine_url">>("SELECT engine_url FROM model WHERE id = $1", [id])
  return rows[0]?.engine_url
}

/** Returns whether the alias ever pointed at a model, and not only at keyword rules. */
async function hadRealModel({ pool }: Runtime): Promise<boolean> {
  const { rows } = await pool.query(
    "SELECT FROM alias_move JOIN model ON model.id = to_id WHERE model.engine <> 'lexical' LIMIT 1",
  )
  return rows.length > 0
}

/**
 * Adds the model of the service's own engine at its first start, free of charge. Points the alias at it if the alias never
 * pointed at a real model. Throws `BadSetting` when another engine's model has its id.
 */
export async function seedOwnModel(runtime: Runtime, model: OwnModel): Promise<void> {
  const { pool } = runtime
  const id = ownModelId(model)
  const url = await findUrl(runtime, id)
  if (url === OWN_ENGINE_URL) return
  if (url !== undefined)
    throw new BadSetting(`ENGINE_GGUF leads to the id ${id}, which another engine serves: rename the file`)
  const isFirst = !(await hadRealModel(runtime))
  await inTransaction(pool, async (client) => {
    const isAdded = await insertPinnedModel(client, {
      id,
      engine: "system-one",
      engineUrl: OWN_ENGINE_URL,
      engineModel: model.served,
      pricePico: pico(0),
      tokenizer: ENGINE_COUNTS.content,
      promptTemplate: templateOf("system-one", false),
      maxQuestions: DEFAULT_MAX_QUESTIONS,
    })
    if (isAdded && isFirst) await pointAlias(client, id)
  })
}
