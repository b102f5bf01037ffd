import { isMembers, type Members } from "@/questions/engine-wire"
import { modelFile, modelName } from "./model-file"

/**
 * What an engine reports about a model besides its build, by name: `n_params`, `size`, `n_vocab`, `ftype`, `sha256`, `file`, `root`,
 * `prompt`, `version`, `states`, `reads`, `marks` and `mass`. Each fact of a pinned id is set once. Only operators see them.
 */
export type PinnedFacts = Readonly<Record<string, string | number>>

/** The fact `mass` of an engine that reported the label mass of an answer. */
export const MASS_REPORTED = "reported"

/** The build and facts that an id is pinned to. Null, or a fact that is absent, means not known yet. */
export interface Pin {
  build: string | null
  facts: PinnedFacts | null
}

/** The last two are reported by the service's own engine only: the file's hash, and the prompt of a chat model. */
const META = ["n_params", "size", "n_vocab", "ftype", "sha256", "prompt"]
const isFact = (value: unknown): value is string | number =>
  (typeof value === "string" && value !== "") || (typeof value === "number" && Number.isFinite(value))

/**
 * Returns what identifies the weights: llama.cpp's `meta` in the list of models and `model_path` in `/props`, or the
 * `root` that SGLang and vLLM list. Of a folder only the name counts, because machines have the same weights in different places.
 */
export function weightsOf(listed: Members, props: Members): PinnedFacts {
  const meta = isMembers(listed.meta) ? listed.meta : {}
  const file = modelFile(props.model_path) ?? modelFile(listed.root)
  const facts = META.flatMap((name): [string, string | number][] => {
    const value = meta[name]
    return isFact(value) ? [[name, value]] : []
  })
  if (file !== undefined) facts.push(["file", file])
  const root = typeof listed.root === "string" ? modelName(listed.root) : undefined
  if (root !== undefined && root !== modelFile(listed.root)) facts.push(["root", root])
  return Object.fromEntries(facts)
}

/** Returns the pinned facts with those that a matching probe found and that were missing. */
export const withFound = (pinned: PinnedFacts | null, found: PinnedFacts | undefined): PinnedFacts | null =>
  found || pinned ? { ...found, ...pinned } : null

function factsProblem(pinned: PinnedFacts, found: PinnedFacts): string | null {
  const other = Object.keys(pinned).filter((name) => name in found && found[name] !== pinned[name])
  if (other.length === 0) return null
  if (other.includes("sha256"))
    return `The file has the SHA-256 ${found.sha256}, but this model is pinned to ${pinned.sha256}. Rename the file, and it gets an id of its own.`
  const list = (facts: PinnedFacts) => other.map((name) => `${name} ${facts[name]}`).join(", ")
  return `The engine reports ${list(found)}, but this model is pinned to ${list(pinned)}.`
}

interface ProbeRead {
  /** False for a failed probe, which may have ended before it read the build. */
  available: boolean
  build?: string
  facts?: PinnedFacts
}

/**
 * Returns why an engine must not answer for a pinned id, or null. A fact that the engine does not report is not compared.
 * The message is for the operator.
 */
export function pinProblem(pinned: Pin, { available, build, facts }: ProbeRead): string | null {
  if (pinned.build !== null && build !== pinned.build && (available || build !== undefined)) {
    const now = build === undefined ? "does not say which build it runs" : `runs build ${build}`
    return `The engine ${now}, but this model is pinned to build ${pinned.build}.`
  }
  return pinned.facts && facts ? factsProblem(pinned.facts, facts) : null
}
