import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { CatalogueModel, ModelEntry } from "./catalogue"
import { cautionOf } from "./caution"
import { loadCatalogue } from "./load-catalogue"

/** A model of the catalogue as its operator sees it. */
export interface OperatedModel extends ModelEntry {
  /** Whether it can be called now, as far as this service knows without a probe. */
  available: boolean
  /** Why it cannot be called, in one sentence; else null. */
  reason: string | null
  /** What to know before one relies on its answers; null for a decision model. */
  caution: string | null
  /** The engine's address without a path or credentials. Null for an alias and for the keyword rules. */
  engine: string | null
  /** The name under which the engine serves it. */
  served: string | null
}

const addressOf = ({ engineUrl }: CatalogueModel): string | null => (engineUrl ? new URL(engineUrl).origin : null)

function operated({ catalogue, engines }: Runtime, entry: ModelEntry): OperatedModel {
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
    engine: isPinned && model ? addressOf(model) : null,
    served: isPinned ? (model?.engineModel ?? null) : null,
  }
}

/** Returns every model, the alias first, with what is known about its engine. For the operator. */
export async function listModels(runtime: Runtime, actor: Actor): Promise<OperatedModel[]> {
  requireRight(actor, "service.operate")
  await loadCatalogue(runtime)
  return runtime.catalogue.list().map((entry) => operated(runtime, entry))
}
