import type { Pool } from "pg"
import { LABEL_PROMPT } from "@/lib/server/engines/labels/prompt"
import { OWN_ENGINE_URL } from "@/lib/server/engines/own-engine-url"
import { ENGINE_COUNTS } from "@/lib/server/engines/system-one/counter-for"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { BadSetting } from "@/lib/server/platform/env"
import { parseHubSource } from "@/lib/server/platform/hub-source"
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
  sha256: string
  /** `hf:OWNER/REPO@COMMIT:FILE`. Null for a file that is not known to be a hub's. */
  source: string | null
}

const MAX_ID_LETTERS = 100
const COMMIT_LETTERS = 7

/**
 * Returns the pinned id of a file: its name in lower case, the beginning of a commit if one is given, and for a chat model the version
 * of the prompt that reads its labels.
 */
export function ownModelId({ served, kind }: Pick<OwnModel, "served" | "kind">, commit: string | null = null): string {
  const name = served
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, MAX_ID_LETTERS)
  const unused = name === "" || [ALIAS, FIRST_DECIDER, LEXICAL_BASELINE].includes(name) ? `gguf-${name}` : name
  const id = commit === null ? unused : `${unused}-${commit.slice(0, COMMIT_LETTERS)}`
  return kind === "chat" ? `${id}-${LABEL_PROMPT}` : id
}

/** Returns the sources of the active models that came from a hub, the oldest first. */
export async function ownSources(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<Row<"Model", "source">>(
    "SELECT source FROM model WHERE source IS NOT NULL AND status = 'active' ORDER BY created_at, id",
  )
  return rows.flatMap(({ source }) => source ?? [])
}

interface Known {
  is_own: boolean
  /** Null before the first probe. */
  file_hash: string | null
}

/** Returns whether a model with this id is the service's own engine's, and its file. Null when there is none. */
async function findKnown({ pool }: Runtime, id: string): Promise<Known | null> {
  const { rows } = await pool.query<Known>(
    `SELECT EXISTS (SELECT FROM model_address WHERE model_id = id AND url = $2) AS is_own, pinned_facts->>'sha256' AS file_hash
     FROM model WHERE id = $1`,
    [id, OWN_ENGINE_URL],
  )
  return rows[0] ?? null
}

/** Returns the id of a model. Another file of a hub under the name of a pinned one gets an id with its commit. */
async function idOf(runtime: Runtime, model: OwnModel): Promise<string> {
  const id = ownModelId(model)
  const commit = parseHubSource(model.source ?? "")?.commit ?? null
  const known = await findKnown(runtime, id)
  const isOther = known?.is_own && known.file_hash !== null && known.file_hash !== model.sha256
  return isOther && commit !== null ? ownModelId(model, commit) : id
}

/** Stores the source of a model that is not pinned yet, and of one that was added without a source and is pinned to the same file. */
async function recordSource({ pool }: Runtime, id: string, { source, sha256 }: OwnModel): Promise<void> {
  await pool.query(
    `UPDATE model SET source = $2 WHERE id = $1 AND source IS DISTINCT FROM $2
       AND (engine_build IS NULL AND pinned_facts IS NULL OR source IS NULL AND pinned_facts->>'sha256' = $3)`,
    [id, source, sha256],
  )
}

/**
 * Adds the model of the service's own engine at its first start, free of charge, and returns its id. Points the alias at it if the
 * alias never pointed at a real model and `mayMoveAlias`. Throws `BadSetting` when another engine's model has its id.
 */
export async function seedOwnModel(runtime: Runtime, model: OwnModel, { mayMoveAlias = true } = {}): Promise<string> {
  const { pool } = runtime
  const id = await idOf(runtime, model)
  const known = await findKnown(runtime, id)
  if (known && !known.is_own)
    throw new BadSetting(`The file leads to the id ${id}, which another engine serves: rename the file`)
  if (known) {
    await recordSource(runtime, id, model)
    return id
  }
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
      source: model.source,
    })
    if (isAdded && mayMoveAlias) await pointAliasFirst(runtime, client, id)
  })
  return id
}
