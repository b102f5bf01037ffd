import { outboxPath } from "@/lib/server/auth/outbox-access"
import { originOf } from "@/lib/server/engines/engine-model"
import { OWN_ENGINE_URL } from "@/lib/server/engines/own-engine-url"
import { type CatalogueModel, isPinned } from "@/lib/server/models/catalogue"
import { cautionOf } from "@/lib/server/models/caution"
import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import { ALIAS, REAL_MODEL_COMMAND } from "@/lib/shared/models/model-ids"

/** Names where a model runs. */
function engineOf({ ownEngines }: Runtime, model: CatalogueModel | null): string {
  if (model?.cascade) return `asks ${model.cascade.small.id}, then ${model.cascade.big.id}`
  const urls = model?.addresses.map(({ url }) => url) ?? []
  if (!urls.includes(OWN_ENGINE_URL)) return `engine at ${urls.map(originOf).join(", ")}`
  return model && ownEngines.find(model.id)
    ? `runs here: ${model.engineModel}`
    : `does not run here: ${model?.engineModel}`
}

/** Returns how to use the model of this start's engine, or what keeps it from use, when the alias points at another one. */
function otherModelLine(runtime: Runtime, seededId: string | null): string | null {
  const { catalogue, engines } = runtime
  const model = seededId === null ? null : catalogue.find(seededId)
  const target = catalogue.resolve(ALIAS)
  if (model?.status !== "active" || target?.id === model.id) return null
  if (target?.engine === "lexical" && !isPinned(model))
    return `            ${model.id} (${engineOf(runtime, model)}) is unavailable: ${engines.availability(model.id).reason ?? "it was not probed yet."} The alias moves to it once its engine answers.`
  return `            ${model.id} (${engineOf(runtime, model)}). To move the alias to it: npm run operator -- model alias ${model.id}`
}

/**
 * Prints the addresses, where mail goes, and which model answers, once the server accepts connections. `seededId` is the model of the
 * engine that the settings name.
 */
export function printReady(tookMs: number, workers: number, seededId: string | null): void {
  const { env, catalogue, engines, rates } = runtime()
  const model = catalogue.resolve(ALIAS)
  const state = model ? engines.availability(model.id) : { available: false, reason: "there is no model" }
  const engine =
    model?.engine === "lexical"
      ? "built-in keyword rules, not a model"
      : [engineOf(runtime(), model), cautionOf(model)].filter(Boolean).join(". ")
  const lines = [
    `Ready in ${(tookMs / 1000).toFixed(1)} s`,
    env.SERVE === "api" ? null : `  Console   ${env.CONSOLE_URL}`,
    env.SERVE === "console"
      ? null
      : `  API       ${env.BASE_URL}/v1/decisions${workers > 1 ? `, in ${workers} processes` : ""}`,
    env.SERVE === "api"
      ? null
      : `  Mail      ${env.EMAIL_SERVER ? "SMTP server" : `outbox: ${env.CONSOLE_URL}${outboxPath(env)}`}`,
    `  Database  ${env.DATABASE_URL ? "DATABASE_URL" : `embedded PostgreSQL in ${env.DATA_DIR}`}`,
    env.REDIS_URL ? `  Redis     REDIS_URL${rates.redis === "ok" ? "" : ", unreachable"}` : null,
    `  Model     ${ALIAS} → ${model?.id ?? "none"} (${engine})${state.available ? "" : `, unavailable: ${state.reason}`}`,
    otherModelLine(runtime(), seededId),
    model?.engine === "lexical" && seededId === null ? `            For a real model: ${REAL_MODEL_COMMAND}` : null,
  ]
  process.stdout.write(`${lines.filter((line) => line !== null).join("\n")}\n`)
}
