import { BYTE_RULE } from "@/lib/server/engines/token-count"
import { SchemaError } from "@/lib/server/platform/db/release"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { type Pico, pico } from "@/lib/shared/money"
import { DEFAULT_MAX_QUESTIONS, insertPinnedModel } from "./add-model"
import { pointAliasFirst } from "./alias"
import { loadCatalogue } from "./load-catalogue"
import { type OwnModel, seedOwnModel } from "./own-model"
import { seedDecider } from "./seed-decider"

/** In pico-USD per token: $0.02 per million. */
const DEMONSTRATION_PRICE = pico(20_000)

async function hasAlias({ pool }: Runtime): Promise<boolean> {
  const { rows } = await pool.query("SELECT 1 FROM model WHERE id = $1", [ALIAS])
  return rows.length > 0
}

/** With welcome credit to pay from, a price lets limits, ledger and statements show what they do before there is a model. */
const baselinePrice = ({ WELCOME_CREDIT_USD }: Runtime["env"]): Pico =>
  WELCOME_CREDIT_USD > 0n ? DEMONSTRATION_PRICE : pico(0)

async function addBaseline(runtime: Runtime): Promise<void> {
  await insertPinnedModel(runtime.pool, {
    id: LEXICAL_BASELINE,
    engine: "lexical",
    engineUrl: null,
    engineModel: "lexical-baseline-1",
    pricePico: baselinePrice(runtime.env),
    tokenizer: BYTE_RULE,
    promptTemplate: null,
    maxQuestions: DEFAULT_MAX_QUESTIONS,
  })
  await inTransaction(runtime.pool, (client) => pointAliasFirst(runtime, client, LEXICAL_BASELINE))
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
 * Seeds the catalogue at every start. With `ENGINE_URL` it adds the model of that engine (`seedDecider`), with the service's own engine
 * that engine's model. Without either, and while there is no alias, it adds the lexical baseline and points the alias at it. Returns
 * the id of the engine's model, or null. Throws `SchemaError` for a model that this version cannot run.
 */
export async function seedModels(runtime: Runtime, own: OwnModel | null = null): Promise<string | null> {
  await refuseOldTemplates(runtime)
  const { ENGINE_URL } = runtime.env
  if (ENGINE_URL) return seedDecider(runtime, ENGINE_URL)
  if (own) return seedOwnModel(runtime, own)
  if (!(await hasAlias(runtime))) await addBaseline(runtime)
  return null
}

/** Loads the catalogue for a command. Seeds it first when no server has started on this database yet. */
export async function openCatalogue(runtime: Runtime): Promise<void> {
  await loadCatalogue(runtime)
  if (runtime.catalogue.list().length > 0) return
  await seedModels(runtime)
  await loadCatalogue(runtime)
}
