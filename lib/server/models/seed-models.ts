import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { addModel } from "./add-model"
import { moveAlias } from "./move-alias"
import { seedDecider } from "./seed-decider"

const BASELINE_QUESTIONS = 16

async function hasAlias(): Promise<boolean> {
  const { rows } = await runtime().pool.query("SELECT 1 FROM model WHERE id = $1", [ALIAS])
  return rows.length > 0
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
    maxQuestions: BASELINE_QUESTIONS,
  })
  await moveAlias(LEXICAL_BASELINE)
}

/**
 * What a start puts into the catalogue: with `ENGINE_URL` the first decider id on that engine, to which the alias moves,
 * else, once, the lexical baseline behind the alias. A later start changes only the address.
 */
export async function seedModels(): Promise<void> {
  const { ENGINE_URL } = runtime().env
  if (ENGINE_URL) await seedDecider(ENGINE_URL)
  else if (!(await hasAlias())) await addBaseline()
}
