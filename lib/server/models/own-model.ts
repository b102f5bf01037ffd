import { LABEL_PROMPT } from "@/lib/server/engines/labels/prompt"
import { OWN_ENGINE_URL } from "@/lib/server/engines/own-engine-url"
import { ENGINE_COUNTS } from "@/lib/server/engines/system-one/counter-for"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { BadSetting } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALIAS, FIRST_DECIDER, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { DEFAULT_MAX_QUESTIONS, insertPinnedModel, templateOf } from "./add-model"
import { pointAliasFirst } from "./alias"

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

/** Returns whether a model with this id is the service's own engine's. Null when there is none. */
async function isOwn({ pool }: Runtime, id: string): Promise<boolean | null> {
  const { rows } = await pool.query<{ is_own: boolean }>(
    "SELECT EXISTS (SELECT FROM model_address WHERE model_id = id AND url = $2) AS is_own FROM model WHERE id = $1",
    [id, OWN_ENGINE_URL],
  )
  return rows[0]?.is_own ?? null
}

/**
 * Adds the model of the service's own engine at its first start, free of charge, and returns its id. Points the alias at it if the
 * alias never pointed at a real model. Throws `BadSetting` when another engine's model has its id.
 */
export async function seedOwnModel(runtime: Runtime, model: OwnModel): Promise<string> {
  const { pool } = runtime
  const id = ownModelId(model)
  const known = await isOwn(runtime, id)
  if (known) return id
  if (known === false)
    throw new BadSetting(`ENGINE_GGUF leads to the id ${id}, which another engine serves: rename the file`)
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
    if (isAdded) await pointAliasFirst(runtime, client, id)
  })
  return id
}
