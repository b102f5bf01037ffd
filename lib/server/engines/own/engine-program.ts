import { createServer, type Server } from "node:http"
import path from "node:path"
import type { Answerer } from "./answerer"
import { ChatModel } from "./chat-model"
import { DecisionModel } from "./decision-model"
import { modelKindOf, UnusableModel } from "./decision-type"
import { readGgufHeader } from "./gguf-header"
import { loadModel } from "./load-model"
import { loadNative } from "./native"
import { StateCache } from "./state-cache"
import { type EngineFacts, Wire } from "./wire"

export interface EngineSettings {
  /** The folder with the installed packages. */
  packages: string
  /** The version of `node-llama-cpp` in it. */
  version: string
  file: string
  sha256: string
  /** The name under which the model is served. */
  served: string
  /** The GPU interface of llama.cpp. Null: the processor computes. */
  gpu: string | null
  /** `ENGINE_THREADS`. Null for the default. */
  threads: number | null
}

/** Loads a model and returns a server of its routes. Throws an error for `startFailureOf`. */
export async function createEngineServer(settings: EngineSettings): Promise<Server> {
  const { packages, version, file, sha256, served, gpu, threads } = settings
  const header = await readGgufHeader(file)
  const kind = modelKindOf(header)
  const { native, jinja } = await loadNative(packages)
  const model = await loadModel(native, jinja, { file, header, gpu, threads })
  const states = new StateCache(model.context, model.sequences, model.context.contextSize)
  const answerer: Answerer =
    kind.kind === "chat"
      ? await ChatModel.open(model, kind.template, states)
      : new DecisionModel(model, kind.settings, states)
  const facts: EngineFacts = {
    served,
    build: `node-llama-cpp ${version}, llama.cpp ${model.release}`,
    file: path.basename(file),
    contextTokens: states.contextTokens,
    meta: {
      n_params: header.parameters,
      size: model.native.size,
      n_vocab: header.vocabulary,
      sha256,
      ...(answerer.promptVersion === undefined ? {} : { prompt: answerer.promptVersion }),
    },
  }
  return createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, new Wire(facts, answerer, model.native).handle)
}

/** Returns the sentence for the operator about why the engine did not start. */
export const startFailureOf = (error: unknown): string =>
  error instanceof UnusableModel ? error.message : `The engine failed: ${(error as Error).message}`
