import "server-only"
import { PROMPT_TEMPLATE } from "../engines/system-one/prompt-template"
import { canTokenize } from "../engines/system-one/tokenize"
import { BadSetting } from "../env"
import { parsePricePerMillion, pico } from "../money"
import { runtime } from "../runtime"
import { addModel } from "./add-model"
import { ALIAS, FIRST_DECIDER, LEXICAL_BASELINE } from "./ids"
import { moveAlias } from "./move-alias"
import { setEngineUrl } from "./set-engine-url"

const DECIDER_PRICE_USD = "0.020000"
const DECIDER_QUESTIONS = 16

async function aliasTarget(): Promise<string | null> {
  const { rows } = await runtime().pool.query<{ target_id: string }>("SELECT target_id FROM model WHERE id = $1", [
    ALIAS,
  ])
  return rows[0]?.target_id ?? null
}

async function addDecider(engineUrl: string): Promise<void> {
  const { env, log, pool } = runtime()
  const engineModel = env.ENGINE_MODEL ?? null
  const counted = await canTokenize(engineUrl, env.ENGINE_API_KEY ?? null)
  const added = await addModel({
    id: FIRST_DECIDER,
    engine: "system-one",
    engineUrl,
    engineModel,
    pricePico: (counted && parsePricePerMillion(DECIDER_PRICE_USD)) || pico(0),
    tokenizer: counted ? "engine" : null,
    promptTemplate: PROMPT_TEMPLATE,
    maxQuestions: DECIDER_QUESTIONS,
  })
  if (added && !counted)
    log.warn("the engine counts no tokens, so its price is 0.000000: see model price", { model: FIRST_DECIDER })
  if (added) return moveAlias(FIRST_DECIDER)
  const { rows } = await pool.query<{ engine_model: string | null }>("SELECT engine_model FROM model WHERE id = $1", [
    FIRST_DECIDER,
  ])
  if (engineModel && rows[0]?.engine_model && rows[0].engine_model !== engineModel)
    throw new BadSetting(
      `ENGINE_MODEL differs from what ${FIRST_DECIDER} is pinned to: add a new id with 'operator model add'`,
    )
  await setEngineUrl(FIRST_DECIDER, engineUrl)
  const target = await aliasTarget()
  if (target === null || target === LEXICAL_BASELINE) await moveAlias(FIRST_DECIDER)
}

async function addBaseline(): Promise<void> {
  await addModel({
    id: LEXICAL_BASELINE,
    engine: "lexical",
    engineUrl: null,
    engineModel: "lexical-baseline-1",
    pricePico: pico(0),
    tokenizer: "bytes-4",
    promptTemplate: null,
    maxQuestions: DECIDER_QUESTIONS,
  })
  await moveAlias(LEXICAL_BASELINE)
}

/**
 * What a start puts into the catalogue: with `ENGINE_URL` the first decider id on that engine, to which the alias moves,
 * else, once, the lexical baseline behind the alias. A later start changes only the address.
 */
export async function seedModels(): Promise<void> {
  const { ENGINE_URL } = runtime().env
  if (ENGINE_URL) await addDecider(ENGINE_URL)
  else if ((await aliasTarget()) === null) await addBaseline()
}
