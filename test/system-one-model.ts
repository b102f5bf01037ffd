import type { EngineAddress, EngineModel } from "@/lib/server/engines/engine-model"

export const at = (url: string, changes: Partial<EngineAddress> = {}): EngineAddress => ({
  url,
  apiKey: null,
  isDraining: false,
  ...changes,
})

export const systemOneModel = (engineUrl: string, changes: Partial<EngineModel> = {}): EngineModel => ({
  id: "svc-decider",
  engine: "system-one",
  addresses: [at(engineUrl)],
  engineModel: "kev-4b",
  engineBuild: null,
  pinnedFacts: null,
  tokenizer: "engine",
  promptTemplate: "system-one-3",
  ...changes,
})

/** What the double of llama.cpp reports about its weights. */
export const KEV_FACTS = {
  n_params: 4_022_468_096,
  size: 4_280_404_480,
  n_vocab: 151_936,
  ftype: "Q8_0",
  file: "Kev-4B-Q8_0.gguf",
}

/** The built-in engine. */
export const LEXICAL: EngineModel = {
  id: "svc-lexical-baseline-1",
  engine: "lexical",
  addresses: [],
  engineModel: "lexical-baseline-1",
  engineBuild: null,
  pinnedFacts: null,
  tokenizer: "bytes-4",
  promptTemplate: null,
}
