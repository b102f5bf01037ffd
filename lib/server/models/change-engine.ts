import { recordAudit } from "@/lib/server/audit/record-audit"
import { type EngineModel, originOf } from "@/lib/server/engines/engine-model"
import { OWN_ENGINE_URL } from "@/lib/server/engines/own-engine-url"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { type CatalogueModel, isPinned, type ModelAddress } from "./catalogue"
import { apiKeyFor, engineModelOf, loadCatalogue } from "./load-catalogue"
import {
  addAddress,
  drainAddress,
  keepFirstAddress,
  lockAddresses,
  removeAddress,
  replaceAddresses,
} from "./model-addresses"
import { recordSeen } from "./record-seen"

export interface ChangeEngineInput {
  id: string
  /** An address without `/v1`. */
  url: string
  /** "replace" makes it the only address. "add" also ends a drain. */
  how: "replace" | "add" | "remove" | "drain"
}

const refuse = (message: string): never => {
  throw new ServiceError("invalid_request", { param: "url", message })
}

const CHANGES = { replace: replaceAddresses, add: addAddress, remove: removeAddress, drain: drainAddress }

function requireChangeable({ catalogue }: Runtime, id: string): CatalogueModel {
  const model = catalogue.find(id)
  if (model?.kind !== "pinned") throw new ServiceError("invalid_model")
  if (model.status === "retired") throw new ServiceError("model_retired", { extra: { replacement_model: null } })
  if (model.cascade) refuse("A cascade has no address of its own. Change the addresses of the models that it asks.")
  if (model.engine === "lexical" || model.addresses.some(({ url }) => url === OWN_ENGINE_URL))
    refuse("The service runs this model itself, so it has no address.")
  return model
}

/** Probes the model at an address. Throws `invalid_request` unless it serves what the model's id is pinned to. */
async function probeAddress(runtime: Runtime, model: EngineModel, { url }: ChangeEngineInput) {
  const found = await runtime.engines.tryAddress(model, { url, apiKey: apiKeyFor(runtime, url), isDraining: false })
  if (!found.available) refuse(`The address was not changed. ${found.reason ?? "The engine cannot be used."}`)
  return found
}

/** Throws `invalid_request` for an address that the model does not have, and for its last one. */
function requireAnother(addresses: readonly ModelAddress[], { url, how }: ChangeEngineInput): void {
  if (how !== "remove" && how !== "drain") return
  if (!addresses.some((address) => address.url === url)) refuse("The model has no such address.")
  if (!addresses.some((address) => address.url !== url && !address.isDraining))
    refuse("No other address of the model gets new requests. Add one first.")
}

/**
 * Changes where a pinned model's engines are. A new address is probed first, and must serve the same model and version. Every process
 * follows within a second; running requests end where they are. For the operator. Throws `invalid_model`, `model_retired`, and
 * `invalid_request` with the reason.
 */
export async function changeEngine(runtime: Runtime, actor: Actor, input: ChangeEngineInput): Promise<void> {
  requireRight(actor, "service.operate")
  const { id, url, how } = input
  await loadCatalogue(runtime)
  const model = requireChangeable(runtime, id)
  if (how === "add" && !isPinned(model))
    refuse("No probe of the model has succeeded yet, so an engine cannot be compared with it. Start its engine first.")
  const engine = engineModelOf(runtime, model)
  const isNew = how === "replace" || how === "add"
  const found = isNew && engine ? await probeAddress(runtime, engine, input) : null
  await inTransaction(runtime.pool, async (client) => {
    const rows = await lockAddresses(client, id)
    requireAnother(
      rows.map((row) => ({ url: row.url, isDraining: row.is_draining })),
      input,
    )
    await CHANGES[how](client, id, url)
    await keepFirstAddress(client, id)
    await recordAudit(client, actor, { action: "model.engine", subject: id, detail: `${how} ${originOf(url)}` })
  })
  if (!found) return
  const { build = null, facts = null, served = null, tokenizer = null } = found
  await recordSeen(runtime, id, { build, facts, served, tokenizer }, url)
}
