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
