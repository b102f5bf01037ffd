import { isSettled, type ModelEntry } from "@/lib/server/models/catalogue"
import { listAliasMoves } from "@/lib/server/models/list-alias-moves"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { seedModels } from "@/lib/server/models/seed-models"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { formatExactUsd } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { facts, type Outcome, table } from "./outcome"

/** A model as `GET /v1/models` shows it, with what its engine's probe says. */
export interface ModelReport extends ModelEntry {
  available: boolean
  /** Why not, for the operator only. */
  reason: string | null
}

/** Reads the catalogue; where no server has started yet, with what a first start would put there. */
export async function openCatalogue(): Promise<void> {
  await loadCatalogue()
  if (runtime().catalogue.list().length > 0) return
  await seedModels()
  await loadCatalogue()
}

function entryOf(id: string): ModelEntry {
  const entry = runtime()
    .catalogue.list()
    .find((model) => model.id === id)
  if (!entry) throw new ServiceError("invalid_model")
  return entry
}

/** What a good probe has just found out is recorded, and every server follows. */
const JUST_FOUND = "How its tokens are counted was only found out now: it can be called in a moment."

async function report(entry: ModelEntry): Promise<ModelReport> {
  if (entry.status === "retired") return { ...entry, available: false, reason: "The model is retired." }
  const model = runtime().catalogue.resolve(entry.id)
  const found = await runtime().engines.probeNow(entry.target_model ?? entry.id)
  const isSold = model !== null && isSettled(model)
  return { ...entry, available: found.available && isSold, reason: found.reason ?? (isSold ? null : JUST_FOUND) }
}

const price = (usd: string | null): string => (usd === null ? "not sold" : `${formatExactUsd(usd)} per million tokens`)

/** Every model, each engine probed now. */
export async function modelList(): Promise<Outcome> {
  await openCatalogue()
  const models = await Promise.all(runtime().catalogue.list().map(report))
  const text = table(
    ["Model", "Points at", "Status", "Available", "Price"],
    models.map((model) => {
      const available = model.available ? "yes" : `no: ${model.reason}`
      return [model.id, model.target_model, model.status, available, price(model.price_per_million_input_tokens_usd)]
    }),
  )
  return { json: { models }, text }
}

/** One model after a change of it. Its engine is not probed. */
export async function modelView(id: string): Promise<Outcome> {
  await loadCatalogue()
  const entry = entryOf(id)
  const text = facts([
    ["Model", entry.id],
    ...(entry.target_model ? ([["Points at", entry.target_model]] as [string, string][]) : []),
    ["Status", entry.replacement_model ? `${entry.status}, replaced by ${entry.replacement_model}` : entry.status],
    ["Price", price(entry.price_per_million_input_tokens_usd)],
    [
      "Limits",
      `${entry.max_questions} questions, ${entry.max_options} options, ${entry.max_levels} levels, ${entry.max_body_bytes} bytes`,
    ],
  ])
  return { json: entry, text }
}

/** What a probe of a model's engine finds now; a model that cannot be used is a failure. */
export async function modelProbe(id: string): Promise<Outcome> {
  await openCatalogue()
  const { available, reason } = await report(entryOf(id))
  const json = { id, available, reason }
  if (available) return { json, text: `${id} is available.` }
  return { json, text: `${id} is not available.`, complaint: `${id}: ${reason}` }
}

/** Where the alias points, and has pointed. */
export async function aliasHistory(): Promise<Outcome> {
  await openCatalogue()
  const moves = await listAliasMoves()
  const text = table(
    ["Moved at", "To", "From"],
    moves.map(({ at, to, from }) => [at, to, from]),
  )
  return { json: { id: ALIAS, target_model: entryOf(ALIAS).target_model, moves }, text }
}
