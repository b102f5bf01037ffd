import { setTimeout as sleep } from "node:timers/promises"
import type { PoolClient } from "pg"
import type { EngineKind } from "@/lib/server/engines/engine"
import { originOf } from "@/lib/server/engines/engine-model"
import { BYTE_RULE } from "@/lib/server/engines/token-count"
import { fingerprintOf, isFingerprint } from "@/lib/server/engines/tokenizer/tokenizer-files"
import { BadTokenizer } from "@/lib/server/engines/tokenizer/tokenizer-thread"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { BadSetting } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { type Pico, pico } from "@/lib/shared/money"
import { DEFAULT_MAX_QUESTIONS, insertPinnedModel, templateOf } from "./add-model"
import { mayPointFirst, pointAliasFirst } from "./alias"
import { deciderId } from "./decider-id"
import { keepFirstAddress, replaceAddresses } from "./model-addresses"
import { firstPrice } from "./record-seen"
import { findTokenizer, readTokenizerFolder } from "./tokenizers"

type Decider = Row<"Model", "engine_model" | "tokenizer" | "price_pico"> & {
  status: "active" | "retired"
  engine: EngineKind
  /** Whether a probe succeeded once. From then on the stored values win over the settings. */
  is_pinned: boolean
  urls: string[]
}

/** What the settings say about the model of `ENGINE_URL`. */
interface Wanted {
  engine: "system-one" | "labels"
  engineModel: string | null
  tokenizer: string | null
  /** Null until the tokenizer is known. */
  pricePico: Pico | null
}

async function findDecider({ pool, env }: Runtime): Promise<Decider | null> {
  const { rows } = await pool.query<Decider>(
    `SELECT status, engine, engine_model, tokenizer, price_pico,
       engine_build IS NOT NULL OR pinned_facts IS NOT NULL AS is_pinned,
       ARRAY(SELECT url FROM model_address WHERE model_id = id ORDER BY created_at, url) AS urls
     FROM model WHERE id = $1`,
    [deciderId(env)],
  )
  return rows[0] ?? null
}

/** Rethrows a `BadTokenizer` as a `BadSetting`, which prevents the start. */
function asBadSetting(thrown: unknown): never {
  if (thrown instanceof BadTokenizer) throw new BadSetting(`ENGINE_TOKENIZER is a folder, but ${thrown.message}`)
  throw thrown
}

/** Reads the settings. Without a folder, a tokenizer that an earlier start stored stays. */
async function readWanted(runtime: Runtime, engineUrl: string, known: Decider | null): Promise<Wanted> {
  const { ENGINE_API_KEY, ENGINE_TOKENIZER, ENGINE_KIND: engine, ENGINE_MODEL } = runtime.env
  const engineModel = ENGINE_MODEL ?? null
  if (engine === "labels") return { engine, engineModel, tokenizer: null, pricePico: null }
  const stored = known?.tokenizer && isFingerprint(known.tokenizer) && !ENGINE_TOKENIZER ? known.tokenizer : null
  const source = { engineUrl, apiKey: ENGINE_API_KEY ?? null, folder: ENGINE_TOKENIZER ?? null }
  const tokenizer = stored ?? (await findTokenizer(runtime, source).catch(asBadSetting))
  return { engine, engineModel, tokenizer, pricePico: tokenizer === null ? null : firstPrice(tokenizer) }
}

async function addDecider({ pool, env }: Runtime, engineUrl: string, wanted: Wanted): Promise<void> {
  await insertPinnedModel(pool, {
    id: deciderId(env),
    ...wanted,
    engineUrl,
    promptTemplate: templateOf(wanted.engine, false),
    maxQuestions: DEFAULT_MAX_QUESTIONS,
  })
}

/** Returns the price after a correction. One that the operator set stays. */
function priceAfter({ price_pico: stored, tokenizer }: Decider, { pricePico }: Wanted): Pico | null {
  const isOperators = stored !== null && pico(stored) !== (tokenizer === null ? null : firstPrice(tokenizer))
  return isOperators ? pico(stored) : pricePico
}

/** Corrects a model that no probe has reached yet, so that a mistake in the first start's settings is not kept. */
async function correctDecider(runtime: Runtime, engineUrl: string, known: Decider, wanted: Wanted): Promise<void> {
  const id = deciderId(runtime.env)
  await inTransaction(runtime.pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE model SET engine = $2, engine_model = $3, tokenizer = $4, prompt_template = $5, price_pico = $6
       WHERE id = $1 AND engine_build IS NULL AND pinned_facts IS NULL`,
      [
        id,
        wanted.engine,
        wanted.engineModel,
        wanted.tokenizer,
        templateOf(wanted.engine, false),
        priceAfter(known, wanted),
      ],
    )
    // Another process's probe succeeded meanwhile.
    if (rowCount !== 1) return
    await replaceAddresses(client, id, engineUrl)
    await keepFirstAddress(client, id)
  })
}

/** Throws `BadSetting` for settings that say something else about how a pinned model is read or billed. */
async function requireSameReading({ env }: Runtime, { engine, tokenizer }: Decider): Promise<void> {
  const conflict = (setting: string) =>
    new BadSetting(`${setting} differs from what ${deciderId(env)} is pinned to: start with another ENGINE_ID`)
  if (engine !== env.ENGINE_KIND) throw conflict("ENGINE_KIND")
  if (!env.ENGINE_TOKENIZER) return
  const files = await readTokenizerFolder(env.ENGINE_TOKENIZER).catch(asBadSetting)
  if (tokenizer !== fingerprintOf(files)) throw conflict("ENGINE_TOKENIZER")
}

/** Warns once about settings that differ from the stored values, which all processes use. */
function warnOfStored({ env, log }: Runtime, engineUrl: string, { urls, engine_model: served }: Decider): void {
  const id = deciderId(env)
  const stored = [
    urls.includes(engineUrl)
      ? null
      : `ENGINE_URL is ${originOf(engineUrl)}, but ${id} is at ${urls.map(originOf).join(", ")}. To move it, run operator model engine ${id} --url with the new address`,
    !env.ENGINE_MODEL || served === null || served === env.ENGINE_MODEL
      ? null
      : `ENGINE_MODEL is ${env.ENGINE_MODEL}, but ${id} is pinned to ${served}. For another model, start with another ENGINE_ID`,
  ].filter((difference) => difference !== null)
  if (stored.length === 0) return
  log.warn("Settings differ from the stored engine, which stays in use", {
    event: "engine.settings_ignored",
    model: id,
    reason: stored.join(". "),
  })
}

/** Returns whether the alias points at the keyword scorer, which answers without an engine. */
async function isAliasAtScorer(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT FROM model alias JOIN model target ON target.id = alias.target_id WHERE alias.id = $1 AND target.engine = 'lexical'",
    [ALIAS],
  )
  return rows.length > 0
}

/** Other servers probe the engine every 5 s, and read the catalogue every second. Until their probe they would refuse requests. */
const FOLLOWED_MS = 7_000
const SERVERS = `
  SELECT FROM server_process WHERE seen_at > clock_timestamp() - interval '15 seconds' AND stopped_at IS NULL LIMIT 1`

/**
 * Points the alias at the model of `ENGINE_URL` once its engine has answered a probe of this process, if the alias never pointed at a
 * real model. Until then the keyword scorer answers everybody. Where servers run already, they get time to probe the model first.
 */
export async function followProbe(runtime: Runtime, modelId: string): Promise<void> {
  const { env, pool } = runtime
  if (env.ENGINE_URL === undefined || modelId !== deciderId(env)) return
  // Every process reports its first probe, a command's too, and waits for this when it ends.
  if (!(await mayPointFirst(pool, modelId))) return
  const { rowCount } = await pool.query(SERVERS)
  if (rowCount) await sleep(FOLLOWED_MS)
  await inTransaction(pool, (client) => pointAliasFirst(runtime, client, modelId))
}

/**
 * Adds the model of `ENGINE_URL` and returns its id. Points the alias at it if that never pointed at a real model, unless the keyword
 * scorer answers: then `followProbe` does. Until a probe of the model succeeds, each start corrects it by its settings. From then on
 * the stored values win.
 */
export async function seedDecider(runtime: Runtime, engineUrl: string): Promise<string> {
  const id = deciderId(runtime.env)
  const known = await findDecider(runtime)
  if (known?.status === "retired") return id
  if (known?.is_pinned) {
    await requireSameReading(runtime, known)
    warnOfStored(runtime, engineUrl, known)
  } else {
    const wanted = await readWanted(runtime, engineUrl, known)
    if (known) await correctDecider(runtime, engineUrl, known, wanted)
    else await addDecider(runtime, engineUrl, wanted)
    if (wanted.tokenizer === BYTE_RULE && wanted.pricePico === 0n)
      runtime.log.warn("The engine does not count tokens, so the price is 0. Set a price with `operator model price`", {
        event: "model.without_price",
        model: id,
      })
  }
  await inTransaction(runtime.pool, async (client) => {
    if (!(await isAliasAtScorer(client))) await pointAliasFirst(runtime, client, id)
  })
  return id
}
