import { Command } from "commander"
import { moveAlias } from "@/lib/server/models/alias"
import { listAliasAccounts } from "@/lib/server/models/alias-use"
import { cascadeText } from "@/lib/server/models/cascade"
import { MAX_LIMITS, type ModelLimits } from "@/lib/server/models/catalogue"
import { cautionOf } from "@/lib/server/models/caution"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { getModelEntry, probeModel, probeModels } from "@/lib/server/models/report-models"
import { retireModel } from "@/lib/server/models/retire-model"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { setLimits, setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { countOf, formatExactUsd } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { type Pico, usd12 } from "@/lib/shared/money"
import { priceUsd, whole } from "./arguments"
import { addCommand } from "./model-add-command"
import { aliasCommand } from "./model-alias-command"
import { engineCommand } from "./model-engine-command"
import { nameCommand } from "./model-name-command"
import { recordCommand } from "./model-record-command"
import { runCommand, stopCommand } from "./model-run-command"
import { shadowCommand } from "./model-shadow-command"
import { facts, type Outcome, type RunCommand, table } from "./outcome"

const priceText = (usd: string | null): string =>
  usd === null ? "not sold" : `${formatExactUsd(usd)} per million tokens`

async function list(): Promise<Outcome> {
  await openCatalogue(runtime())
  const models = await probeModels(runtime())
  const text = table(
    ["Model", "Points at", "Status", "Available", "Price", "Asks", "Caution"],
    models.map((model) => {
      const available = model.available ? "yes" : `no: ${model.reason}`
      const price = priceText(model.price_per_million_input_tokens_usd)
      const asks = model.cascade && `${model.cascade.small}, then ${model.cascade.big} below ${model.cascade.below}`
      return [model.id, model.target_model, model.status, available, price, asks, model.caution]
    }),
  )
  return { json: { models }, text }
}

async function probe(id: string): Promise<Outcome> {
  await openCatalogue(runtime())
  const { available, reason, caution, findings } = await probeModel(runtime(), OPERATOR, { id })
  const json = { id, available, reason, caution, findings }
  const found = table(
    ["Found", "Value", "Meaning"],
    findings.map(({ name, value, meaning }) => [name, value, meaning]),
  )
  const text = [`${id} is available.`, caution].filter(Boolean).join(" ")
  if (available) return { json, text: findings.length > 0 ? `${text}\n${found}` : text }
  return { json, text: `${id} is not available.`, complaint: `${id}: ${reason}` }
}

async function aliasAccounts(): Promise<Outcome> {
  const { total, accounts } = await listAliasAccounts(runtime(), OPERATOR)
  const text = table(
    ["Account", "Last sent the alias", "Spent in 30 days"],
    accounts.map(({ id, email, lastUsedAt, spentPico }) => [email ?? id, lastUsedAt, formatExactUsd(spentPico)]),
  )
  const json = accounts.map(({ id, email, lastUsedAt, spentPico }) => ({
    id,
    email,
    last_used_at: lastUsedAt,
    spent_30_days_usd: usd12(spentPico),
  }))
  return { json: { total, accounts: json }, text }
}

/** Changes a model, then shows the model `id` without a probe of its engine. */
async function change(id: string, work: () => Promise<void>): Promise<Outcome> {
  await openCatalogue(runtime())
  await work()
  await loadCatalogue(runtime())
  const entry = getModelEntry(runtime(), id)
  const model = runtime().catalogue.resolve(id)
  const notes: [string, string | null][] = [
    ["Cascade", cascadeText(model)],
    ["Caution", cautionOf(model)],
  ]
  const text = facts([
    ["Model", entry.id],
    ...(entry.target_model ? ([["Points at", entry.target_model]] as [string, string][]) : []),
    ["Status", entry.replacement_model ? `${entry.status}, replaced by ${entry.replacement_model}` : entry.status],
    ["Price", priceText(entry.price_per_million_input_tokens_usd)],
    ...notes.flatMap(([label, note]): [string, string][] => (note === null ? [] : [[label, note]])),
    [
      "Limits",
      `${countOf(entry.max_questions, "question")}, ${countOf(entry.max_options, "option")}, ${countOf(entry.max_levels, "level")}, ${entry.max_body_bytes} bytes`,
    ],
  ])
  return { json: entry, text }
}

interface LimitOptions {
  questions?: number
  options?: number
  levels?: number
  bodyBytes?: number
}

function limitsCommand(act: RunCommand): Command {
  const command = new Command("limits")
    .description("set a model's own limits")
    .argument("<id>", "a pinned model")
    .option("--questions <n>", "questions per request", whole(1, MAX_LIMITS.maxQuestions))
    .option("--options <n>", "options per choice question", whole(1, MAX_LIMITS.maxOptions))
    .option("--levels <n>", "levels per score question", whole(1, MAX_LIMITS.maxLevels))
    .option("--body-bytes <n>", "bytes of a request body", whole(1, MAX_LIMITS.maxBodyBytes))
  return command.action((id: string, { questions, options, levels, bodyBytes }: LimitOptions) => {
    const limits: Partial<ModelLimits> = {
      ...(questions === undefined ? {} : { maxQuestions: questions }),
      ...(options === undefined ? {} : { maxOptions: options }),
      ...(levels === undefined ? {} : { maxLevels: levels }),
      ...(bodyBytes === undefined ? {} : { maxBodyBytes: bodyBytes }),
    }
    if (Object.keys(limits).length === 0) command.error("error: give at least one limit")
    return act(() => change(id, () => setLimits(runtime(), OPERATOR, { id, ...limits })))
  })
}

/** `model list|add|price|limits|engine|name|retire|alias|accounts|probe|record|run|stop|shadow` */
export function modelCommands(act: RunCommand): Command {
  return new Command("model")
    .description("manage the model catalogue")
    .addCommand(new Command("list").description("probe every engine and list every model").action(() => act(list)))
    .addCommand(addCommand(act, change))
    .addCommand(
      new Command("price")
        .description("set a model's price")
        .argument("<id>", "a pinned model")
        .argument("<usd>", "USD per million input tokens", priceUsd)
        .action((id: string, pricePico: Pico) =>
          act(() => change(id, () => setPrice(runtime(), OPERATOR, { id, pricePico }))),
        ),
    )
    .addCommand(limitsCommand(act))
    .addCommand(engineCommand(act))
    .addCommand(nameCommand(act))
    .addCommand(
      new Command("retire")
        .description("retire a model for good")
        .argument("<id>", "a pinned model that is not the alias's target")
        .option("--replacement <id>", "its successor, shown to clients")
        .action((id: string, { replacement = "" }: { replacement?: string }) =>
          act(() => change(id, () => retireModel(runtime(), OPERATOR, { id, replacementId: replacement || null }))),
        ),
    )
    .addCommand(aliasCommand(act, (toId) => change(ALIAS, () => moveAlias(runtime(), OPERATOR, { toId }))))
    .addCommand(
      new Command("accounts")
        .description(`list the accounts that a move of ${ALIAS} would move`)
        .action(() => act(aliasAccounts)),
    )
    .addCommand(
      new Command("probe")
        .description("probe a model's engine and report why it cannot be used")
        .argument("<id>", "a model")
        .action((id: string) => act(() => probe(id))),
    )
    .addCommand(recordCommand(act))
    .addCommand(runCommand(act))
    .addCommand(stopCommand(act))
    .addCommand(shadowCommand(act))
}
