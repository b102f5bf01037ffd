import type { EngineKind } from "./engine"
import { OWN_ENGINE_URL } from "./own-engine-url"
import type { PinnedFacts } from "./pinned-facts"
import type { ReadLength } from "./system-one/read-length"
import type { StateForm } from "./system-one/state-form"

/** Where an engine serves a model. */
export interface EngineAddress {
  /** Without `/v1`. */
  url: string
  apiKey: string | null
  /** True while running requests end there and new ones go to other addresses. */
  isDraining: boolean
  /** Where this service's own engine listens for the model. Null while no process of this machine runs it. */
  socketPath?: string | null
}

/** A pinned model, and the engines that serve it. */
export interface EngineModel {
  id: string
  engine: EngineKind
  /** Each runs the same model. Empty for the lexical engine. */
  addresses: EngineAddress[]
  /** The name under which the engines serve the model. Null when they serve only one model. */
  engineModel: string | null
  /** The build that the model is pinned to. Null until the first probe. */
  engineBuild: string | null
  /** What the model's weights are pinned to. Null until a probe has found it. */
  pinnedFacts: PinnedFacts | null
  /** How tokens are counted (`counterFor`). Null until it is known. */
  tokenizer: string | null
  /** The version of the texts that the service adds to an engine request. */
  promptTemplate: string | null
}

/** Returns an address without a path or credentials, for people. */
export const originOf = (url: string): string => (url === OWN_ENGINE_URL ? "this service" : new URL(url).origin)

/** Returns what names an engine's slots. Each model of this service's own engine has a process of its own. */
export const slotsKey = ({ id }: EngineModel, { url }: EngineAddress): string =>
  url === OWN_ENGINE_URL ? `${url}/${id}` : url

/** Returns how a model's states are sent. Null when a probe has to determine it. */
export function statesOf({ pinnedFacts }: EngineModel): StateForm | null {
  const states = pinnedFacts?.states
  return states === "objects" || states === "text" ? states : null
}

/** Returns how much of an input the model's engine reads. Null when a probe has to determine it. */
export function readsOf({ pinnedFacts }: EngineModel): ReadLength | null {
  const reads = pinnedFacts?.reads
  return reads === "all" || typeof reads === "number" ? reads : null
}

/** The texts of ids that version 1.0.0 added, in which only `<|name|>` is rewritten. */
const WITHOUT_MARKS = "system-one-3"

/**
 * Returns the control tokens that are broken up in texts for a model's engine. Null when a probe has to find them, undefined when
 * the model is pinned to texts without that.
 */
export function marksOf({ promptTemplate, pinnedFacts }: EngineModel): string | null | undefined {
  if (promptTemplate === WITHOUT_MARKS) return
  const marks = pinnedFacts?.marks
  return typeof marks === "string" ? marks : null
}
