import type { EngineModel } from "@/lib/server/engines/engines"

export const systemOneModel = (engineUrl: string, changes: Partial<EngineModel> = {}): EngineModel => ({
  id: "svc-decider",
  engine: "system-one",
  engineUrl,
  engineModel: "kev-4b",
  engineBuild: null,
  pinnedFacts: null,
  tokenizer: "engine",
  promptTemplate: "system-one-3",
  apiKey: null,
  ...changes,
})

/** The built-in engine. */
export const LEXICAL: EngineModel = {
  id: "svc-lexical-baseline-1",
  engine: "lexical",
  engineUrl: null,
  engineModel: "lexical-baseline-1",
  engineBuild: null,
  pinnedFacts: null,
  tokenizer: "bytes-4",
  promptTemplate: null,
  apiKey: null,
}
