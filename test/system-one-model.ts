import type { EngineModel } from "@/lib/server/engines/engines"

/** Returns the default model of the catalogue, on an engine at this URL. */
export const systemOneModel = (engineUrl: string, changes: Partial<EngineModel> = {}): EngineModel => ({
  id: "svc-decider",
  engine: "system-one",
  engineUrl,
  engineModel: "kev-4b",
  engineBuild: null,
  tokenizer: "engine",
  apiKey: null,
  ...changes,
})
