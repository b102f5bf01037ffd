import type { Finding } from "@/lib/server/engines/engine"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { type CatalogueModel, isSettled, type ModelEntry } from "./catalogue"
import { cautionOf } from "./caution"
import { loadCatalogue } from "./load-catalogue"

/** A model as `GET /v1/models` lists it, with the result of a probe of its engine. For the operator. */
export interface ModelReport extends ModelEntry {
  available: boolean
  reason: string | null
  /** A warning about the reliability of its answers; null for a decision model. */
  caution: string | null
  /** The models that a cascade asks; null for every other model. */
  cascade: { small: string; big: string; below: number } | null
  findings: Finding[]
}

/** Returns the catalogue's entry of a model. Throws `invalid_model`. */
export function getModelEntry({ catalogue }: Runtime, id: string): ModelEntry {
  const entry = catalogue.list().find((model) => model.id === id)
  if (!entry) throw new ServiceError("invalid_model")
  return entry
}

// The probe records what it found, and every server reads it within 2 s.
const JUST_FOUND = "The probe just determined how the model's tokens are counted. The model can be called in 2 seconds."

function partsOf(model: CatalogueModel | null): ModelReport["cascade"] {
  if (!model?.cascade) return null
  const { small, big, below } = model.cascade
  return { small: small.id, big: big.id, below }
}

async function report({ catalogue, engines }: Runtime, entry: ModelEntry): Promise<ModelReport> {
  const model = catalogue.resolve(entry.id)
  const caution = cautionOf(model)
  const cascade = partsOf(model)
  if (entry.status === "retired")
    return { ...entry, available: false, reason: "The model is retired.", caution, cascade, findings: [] }
  const found = await engines.probeNow(entry.target_model ?? entry.id)
  const isCallable = model !== null && isSettled(model)
  return {
    ...entry,
    available: found.available && isCallable,
    reason: found.reason ?? (isCallable ? null : JUST_FOUND),
    caution,
    cascade,
    findings: found.findings ?? [],
  }
}

/** Probes the engine of one model now. For the operator. Throws `invalid_model`. */
export async function probeModel(runtime: Runtime, actor: Actor, { id }: { id: string }): Promise<ModelReport> {
  requireRight(actor, "service.operate")
  await loadCatalogue(runtime)
  return report(runtime, getModelEntry(runtime, id))
}

/** Probes the engines of all models now. For the command line, which needs no right. */
export async function probeModels(runtime: Runtime): Promise<ModelReport[]> {
  await loadCatalogue(runtime)
  return Promise.all(runtime.catalogue.list().map((entry) => report(runtime, entry)))
}
