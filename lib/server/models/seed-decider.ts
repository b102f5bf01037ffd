import { PROMPT_TEMPLATE } from "@/lib/server/engines/system-one/request-body"
import { fingerprintOf } from "@/lib/server/engines/tokenizer/tokenizer-files"
import { BadTokenizer } from "@/lib/server/engines/tokenizer/tokenizer-thread"
import { BadSetting } from "@/lib/server/platform/env"
import { runtime } from "@/lib/server/platform/runtime"
import { FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { addModel } from "./add-model"
import { findTokenizer } from "./find-tokenizer"
import { firstPrice } from "./first-price"
import { moveAlias } from "./move-alias"
import { setEngineUrl } from "./set-engine-url"
import { readTokenizerFolder } from "./tokenizer-folder"

const QUESTIONS = 16

interface Decider {
  status: "active" | "retired"
  engine_model: string | null
  tokenizer: string | null
  /** Whether the alias ever pointed at it. */
  was_target: boolean
}

async function findDecider(): Promise<Decider | null> {
  const { rows } = await runtime().pool.query<Decider>(
    `SELECT status, engine_model, tokenizer, EXISTS (SELECT 1 FROM alias_move WHERE to_id = model.id) AS was_target
     FROM model WHERE id = $1`,
    [FIRST_DECIDER],
  )
  return rows[0] ?? null
}

/** What goes wrong with the folder of `ENGINE_TOKENIZER` stops the start. */
function asBadSetting(thrown: unknown): never {
  if (thrown instanceof BadTokenizer) throw new BadSetting(`ENGINE_TOKENIZER is a folder, but ${thrown.message}`)
  throw thrown
}

function findDecidersTokenizer(engineUrl: string): Promise<string | null> {
  const { ENGINE_API_KEY, ENGINE_TOKENIZER } = runtime().env
  const asked = { engineUrl, apiKey: ENGINE_API_KEY ?? null, folder: ENGINE_TOKENIZER ?? null }
  return findTokenizer(asked).catch(asBadSetting)
}

async function addDecider(engineUrl: string): Promise<void> {
  const { env, log } = runtime()
  const tokenizer = await findDecidersTokenizer(engineUrl)
  const pricePico = tokenizer === null ? null : firstPrice(FIRST_DECIDER, tokenizer)
  await addModel({
    id: FIRST_DECIDER,
    engine: "system-one",
    engineUrl,
    engineModel: env.ENGINE_MODEL ?? null,
    pricePico,
    tokenizer,
    promptTemplate: PROMPT_TEMPLATE,
    maxQuestions: QUESTIONS,
  })
  if (pricePico === 0n)
    log.warn("the engine counts no tokens, so its price is 0.000000: see model price", { model: FIRST_DECIDER })
}

const pinnedTo = (setting: string) =>
  new BadSetting(`${setting} differs from what ${FIRST_DECIDER} is pinned to: add a new id with 'operator model add'`)

/** A later start: the settings have to be those it is pinned to, and fill in what nobody knew yet. */
async function checkDecider({ engine_model: served, tokenizer }: Decider, engineUrl: string): Promise<void> {
  const { env, pool } = runtime()
  if (env.ENGINE_MODEL && served && served !== env.ENGINE_MODEL) throw pinnedTo("ENGINE_MODEL")
  if (!env.ENGINE_TOKENIZER) return
  const files = await readTokenizerFolder(env.ENGINE_TOKENIZER).catch(asBadSetting)
  if (tokenizer === fingerprintOf(files)) return
  if (tokenizer !== null) throw pinnedTo("ENGINE_TOKENIZER")
  const fingerprint = await findDecidersTokenizer(engineUrl)
  await pool.query(
    `UPDATE model SET tokenizer = $2, price_pico = coalesce(price_pico, $3) WHERE id = $1 AND tokenizer IS NULL`,
    [FIRST_DECIDER, fingerprint, fingerprint && firstPrice(FIRST_DECIDER, fingerprint)],
  )
}

/**
 * Puts the first decider id on the engine of `ENGINE_URL` and moves the alias to it, once: where an operator has pointed
 * the alias since is left alone, and so is a decider that was retired.
 */
export async function seedDecider(engineUrl: string): Promise<void> {
  const known = await findDecider()
  if (known?.status === "retired") return
  if (known) {
    await checkDecider(known, engineUrl)
    await setEngineUrl(FIRST_DECIDER, engineUrl)
  } else await addDecider(engineUrl)
  if (!known?.was_target) await moveAlias(FIRST_DECIDER)
}
