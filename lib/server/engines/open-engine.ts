import type { Log } from "@/lib/server/platform/log"
import type { QuestionTypeName } from "@/questions/question-types"
import type { Engine } from "./engine"
import { type EngineAddress, type EngineModel, marksOf, originOf, readsOf, statesOf } from "./engine-model"
import { LabelsEngine, type LabelsSettings } from "./labels/labels-engine"
import { MASS_REPORTED } from "./pinned-facts"
import type { SlotQueue } from "./slot-queue"
import { SystemOneEngine } from "./system-one/system-one-engine"
import type { SystemOneSettings } from "./system-one/system-one-settings"
import { inputLimitOf } from "./token-count"
import type { Tokenizers } from "./tokenizer/tokenizers"

/** Counted tokens of requests, which are the same at all addresses of a model. */
export interface SharedCounts {
  systemOne: SystemOneSettings["counts"]
  labels: LabelsSettings["counts"]
}

export interface OpenOptions {
  log: Log
  /** Returns the value under which an engine caches an account's prompts. Without it, accounts share a cache. */
  cacheSalt?(accountId: string): string
  /** The label mass from which on an answer is used, 0 to 1. 0 by default. */
  labelMassMin?: number
  /** Receives the label mass of each answer for which the engine reports one. */
  onLabelMass?(modelId: string, type: QuestionTypeName, mass: number): void
}

/** Opens a model's engine at an address. */
export function openEngine(
  options: OpenOptions,
  tokenizers: Tokenizers,
  model: EngineModel,
  { url, apiKey, socketPath = null }: EngineAddress,
  slots: SlotQueue,
  counts?: SharedCounts,
): Engine {
  const { id, engine, engineModel, tokenizer, promptTemplate } = model
  const cacheSalt = options.cacheSalt ?? null
  const settings = { url, model: engineModel, apiKey, inputLimit: inputLimitOf(id), slots, cacheSalt }
  if (engine === "labels") return new LabelsEngine({ ...settings, promptTemplate, counts: counts?.labels })
  return new SystemOneEngine({
    ...settings,
    tokenizer,
    states: statesOf(model),
    reads: readsOf(model),
    marks: marksOf(model),
    reportsLabelMass: model.pinnedFacts?.mass === MASS_REPORTED,
    socketPath,
    tokenizers,
    counts: counts?.systemOne,
    labelMassMin: options.labelMassMin,
    observer: {
      labelMass: (type, mass) => options.onLabelMass?.(id, type, mass),
      clamped: () =>
        options.log.warn("An engine's probability was slightly outside of 0 to 1 and was clamped", {
          event: "engine.probability_clamped",
          model: id,
          engine: originOf(url),
        }),
    },
  })
}
