import { isMembers, type Members } from "@/questions/engine-wire"
import { modelFile } from "../model-file"
import type { PinnedFacts } from "../pinned-facts"

/** The last two are reported by the service's own engine only: the file's hash, and the prompt of a chat model. */
const META = ["n_params", "size", "n_vocab", "ftype", "sha256", "prompt"]
const isFact = (value: unknown): value is string | number =>
  (typeof value === "string" && value !== "") || (typeof value === "number" && Number.isFinite(value))

/**
 * Returns what identifies the weights: llama.cpp's `meta` in the list of models and `model_path` in `/props`, or the
 * `root` that SGLang and vLLM list.
 */
export function weightsOf(listed: Members, props: Members): PinnedFacts {
  const meta = isMembers(listed.meta) ? listed.meta : {}
  const file = modelFile(props.model_path) ?? modelFile(listed.root)
  const facts = META.flatMap((name): [string, string | number][] => {
    const value = meta[name]
    return isFact(value) ? [[name, value]] : []
  })
  return Object.fromEntries(file === undefined ? facts : [...facts, ["file", file]])
}
