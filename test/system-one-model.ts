import type { EngineModel } from "@/lib/server/engines/engines"

/** The decider as the catalogue knows it, on an engine of llama.cpp's family at this address. */
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
