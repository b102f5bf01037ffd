import type { AddressState } from "@/lib/server/engines/engine-group"
import { originOf } from "@/lib/server/engines/engine-model"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { cascadeText } from "./cascade"
import type { CatalogueModel, ModelEntry } from "./catalogue"
import { cautionOf } from "./caution"
import { loadCatalogue } from "./load-catalogue"

const NOT_PROBED = { available: false, reason: "It has not been probed yet." }

/** A model of the catalogue as its operator sees it. */
export interface OperatedModel extends ModelEntry {
  /** Whether it can be called now, as far as this service knows without a probe. */
  available: boolean
  /** Why it cannot be called, in one sentence; else null. */
  reason: string | null
  /** What to know before one relies on its answers; null for a decision model. */
  caution: string | null
  /** Which models a cascade asks, as a sentence; null for every other model. */
  cascade: string | null
  /** Its engines, with their addresses without a path or credentials. Empty for an alias and for the keyword rules. */
  addresses: AddressState[]
  /** The name under which the engine serves it. */
  served: string | null
}

/** Returns the addresses of a model with what the server knows about each. It may not know a new one yet. */
function addressesOf({ engines }: Runtime, model: CatalogueModel): AddressState[] {
  const known = engines.addresses(model.id)
  return model.addresses.map(({ url, isDraining }) => {
    const { available, reason } = known.find((state) => state.url === url) ?? NOT_PROBED
    return { url: originOf(url), isDraining, available, reason }
  })
}

/** Returns the addresses of a model. Throws `invalid_model`. For the command line, which needs no right. */
export function listAddresses(runtime: Runtime, id: string): AddressState[] {
  const model = runtime.catalogue.find(id)
  if (!model) throw new ServiceError("invalid_model")
  return addressesOf(runtime, model)
}

function operated(runtime: Runtime, entry: ModelEntry): OperatedModel {
  const { catalogue, engines } = runtime
  const model = catalogue.resolve(entry.id)
  const state =
    entry.status === "retired" || !model
      ? { available: false, reason: "The model is retired." }
      : engines.availability(model.id)
  const isPinned = entry.kind === "pinned"
  return {
    ...entry,
    ...state,
    caution: cautionOf(model),
    cascade: cascadeText(model),
    addresses: isPinned && model ? addressesOf(runtime, model) : [],
    served: isPinned ? (model?.engineModel ?? null) : null,
  }
}

/** Returns every model, the alias first, with what is known about its engine. For the operator. */
export async function listModels(runtime: Runtime, actor: Actor): Promise<OperatedModel[]> {
  requireRight(actor, "service.read")
  await loadCatalogue(runtime)
  return runtime.catalogue.list().map((entry) => operated(runtime, entry))
}
