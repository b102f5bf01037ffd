import type { EngineKind } from "@/lib/server/engines/engine"
import { BYTE_RULE } from "@/lib/server/engines/token-count"
import { fingerprintOf } from "@/lib/server/engines/tokenizer/tokenizer-files"
import { BadTokenizer } from "@/lib/server/engines/tokenizer/tokenizer-thread"
import { SchemaError } from "@/lib/server/platform/db/release"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { BadSetting } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALIAS, FIRST_DECIDER, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { DEFAULT_MAX_QUESTIONS, insertPinnedModel, templateOf } from "./add-model"
import { pointAlias } from "./alias"
import { loadCatalogue } from "./load-catalogue"
import { type OwnModel, seedOwnModel } from "./own-model"
import { firstPrice } from "./record-seen"
import { setEngineUrl } from "./set-model"
import { findTokenizer, readTokenizerFolder } from "./tokenizers"

type Decider = Row<"Model", "engine_model" | "tokenizer"> & {
  status: "active" | "retired"
  engine: EngineKind
  /** Whether the alias ever pointed at it. */
  was_target: boolean
}

const moveAliasTo = ({ pool }: Runtime, id: string) => inTransaction(pool, (client) => pointAlias(client, id))

async function findDecider({ pool }: Runtime): Promise<Decider | null> {
  const { rows } = await pool.query<Decider>(
    `SELECT status, engine, engine_model, tokenizer, EXISTS (SELECT 1 FROM alias_move WHERE to_id = model.id) AS was_target
     FROM model WHERE id = $1`,
    [FIRST_DECIDER],
  )
  return rows[0] ?? null
}

/** Rethrows a `BadTokenizer` as a `BadSetting`, which prevents the start. */
function asBadSetting(thrown: unknown): never {
  if (thrown instanceof BadTokenizer) throw new BadSetting(`ENGINE_TOKENIZER is a folder, but ${thrown.message}`)
  throw thrown
}

function findDeciderTokenizer(runtime: Runtime, engineUrl: string): Promise<string | null> {
  const { ENGINE_API_KEY, ENGINE_TOKENIZER } = runtime.env
  const source = { engineUrl, apiKey: ENGINE_API_KEY ?? null, folder: ENGINE_TOKENIZER ?? null }
  return findTokenizer(runtime, source).catch(asBadSetting)
}

async function addDecider(runtime: Runtime, engineUrl: string): Promise<void> {
  const { env, log, pool } = runtime
  const engine = env.ENGINE_KIND
  const tokenizer = engine === "labels" ? null : await findDeciderTokenizer(runtime, engineUrl)
  const pricePico = tokenizer === null ? null : firstPrice(FIRST_DECIDER, tokenizer)
  await insertPinnedModel(pool, {
    id: FIRST_DECIDER,
    engine,
    engineUrl,
    engineModel: env.ENGINE_MODEL ?? null,
    pricePico,
    tokenizer,
    promptTemplate: templateOf(engine, false),
    maxQuestions: DEFAULT_MAX_QUESTIONS,
  })
  if (pricePico === 0n)
    log.warn("The engine does not count tokens, so the price is 0. Set a price with `operator model price`", {
      event: "model.without_price",
      model: FIRST_DECIDER,
    })
}

const pinConflict = (setting: string) =>
  new BadSetting(`${setting} differs from what ${FIRST_DECIDER} is pinned to: add a new id with 'operator model add'`)

/** Compares the settings of a later start with those that the decider is pinned to, and fills in a missing tokenizer. */
async function checkDecider(
  runtime: Runtime,
  { engine, engine_model: served, tokenizer }: Decider,
  engineUrl: string,
): Promise<void> {
  const { env, pool } = runtime
  if (engine !== env.ENGINE_KIND) throw pinConflict("ENGINE_KIND")
  if (env.ENGINE_MODEL && served && served !== env.ENGINE_MODEL) throw pinConflict("ENGINE_MODEL")
  if (!env.ENGINE_TOKENIZER) return
  const files = await readTokenizerFolder(env.ENGINE_TOKENIZER).catch(asBadSetting)
  if (tokenizer === fingerprintOf(files)) return
  if (tokenizer !== null) throw pinConflict("ENGINE_TOKENIZER")
  const fingerprint = await findDeciderTokenizer(runtime, engineUrl)
  await pool.query(
    `UPDATE model SET tokenizer = $2, price_pico = coalesce(price_pico, $3) WHERE id = $1 AND tokenizer IS NULL`,
    [FIRST_DECIDER, fingerprint, fingerprint && firstPrice(FIRST_DECIDER, fingerprint)],
  )
}

/**
 * Adds the first decider on the engine of `ENGINE_URL` and moves the alias to it, once. It does not move the alias again after
 * an operator moved it, and does not reactivate a retired decider.
 */
async function seedDecider(runtime: Runtime, engineUrl: string): Promise<void> {
  const known = await findDecider(runtime)
  if (known?.status === "retired") return
  if (known) {
    await checkDecider(runtime, known, engineUrl)
    await setEngineUrl(runtime, FIRST_DECIDER, engineUrl)
  } else await addDecider(runtime, engineUrl)
  if (!known?.was_target) await moveAliasTo(runtime, FIRST_DECIDER)
}

async function hasAlias({ pool }: Runtime): Promise<boolean> {
  const { rows } = await pool.query("SELECT 1 FROM model WHERE id = $1", [ALIAS])
  return rows.length > 0
}

async function addBaseline(runtime: Runtime): Promise<void> {
  await insertPinnedModel(runtime.pool, {
    id: LEXICAL_BASELINE,
    engine: "lexical",
    engineUrl: null,
    engineModel: "lexical-baseline-1",
    pricePico: pico(0),
    tokenizer: BYTE_RULE,
    promptTemplate: null,
    maxQuestions: DEFAULT_MAX_QUESTIONS,
  })
  await moveAliasTo(runtime, LEXICAL_BASELINE)
}

/** Throws `SchemaError` for an active model that is pinned to texts of before version 1.0.0, which this version cannot write. */
async function refuseOldTemplates({ pool }: Runtime): Promise<void> {
  const { rows } = await pool.query<Row<"Model", "id" | "prompt_template">>(
    "SELECT id, prompt_template FROM model WHERE status = 'active' AND prompt_template IN ('system-one-1', 'system-one-2') ORDER BY id",
  )
  const [model] = rows
  if (!model) return
  throw new SchemaError(
    `Model ${model.id} is pinned to ${model.prompt_template}, which this version cannot send. Add its engine under a new id with 'operator model add', and retire ${model.id} with 'operator model retire'`,
  )
}

/**
 * Seeds the catalogue at every start. With `ENGINE_URL` it adds the first decider on that engine and moves the alias to it, once.
 * With a model of the service's own engine it adds that model. Without either, and while there is no alias, it adds the lexical
 * baseline and points the alias at it. Later starts only update the engine's address and fill in a missing tokenizer and price.
 * Throws `SchemaError` for a model that this version cannot run.
 */
export async function seedModels(runtime: Runtime, own: OwnModel | null = null): Promise<void> {
  await refuseOldTemplates(runtime)
  const { ENGINE_URL } = runtime.env
  if (ENGINE_URL) await seedDecider(runtime, ENGINE_URL)
  else if (own) await seedOwnModel(runtime, own)
  else if (!(await hasAlias(runtime))) await addBaseline(runtime)
}

/** Loads the catalogue for a command. Seeds it first when no server has started on this database yet. */
export async function openCatalogue(runtime: Runtime): Promise<void> {
  await loadCatalogue(runtime)
  if (runtime.catalogue.list().length > 0) return
  await seedModels(runtime)
  await loadCatalogue(runtime)
}
