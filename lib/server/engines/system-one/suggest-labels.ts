import type { Members } from "@/questions/engine-wire"

/** What engines that can read an ordinary chat model by its labels write about each model they list. */
const OWNERS = new Set<unknown>(["vllm", "sglang", "llamacpp"])

/**
 * Returns the sentence that suggests `--labels`, with a space before it. Empty when the engine is not known to support
 * that. It asks for a new id, because an id keeps its kind of engine.
 */
export const suggestLabels = (served: string, { owned_by: owner }: Members): string =>
  OWNERS.has(owner) ? ` If ${served} is an ordinary chat model, add a new id with \`model add … --labels\`.` : ""
