import { CEILINGS } from "@/questions/limits"
import { Unusable } from "../unusable"
import {
  type Family,
  type FoundEngine,
  type Identity,
  isSameModel,
  type KnownFamily,
  listOf,
  membersOf,
  type Profile,
  refuseFailure,
} from "./family"
import { WireBody } from "./request-body"

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value) && value > 0

/** `llama-server`. Its option limit is learned. Recognised by `/props`, which holds build and slots. */
export const LLAMA_CPP: KnownFamily = {
  name: "llama.cpp",
  questionsPerCall: CEILINGS.questions,
  maxOptions: 255,
  isStrict: false,
  isExplored: true,
  crashesOnMarkup: true,
  async identify({ read }) {
    const props = await read("/props")
    const { build_info: build, total_slots: slots } = props
    if (build === undefined && slots === undefined) return null
    return {
      props,
      ...(typeof build === "string" && build ? { build } : {}),
      ...(isCount(slots) ? { slots } : {}),
    }
  },
}

const DIGEST_LETTERS = 12

/** Returns the entry of a model in a list of Ollama's. */
async function entryOf({ served, read }: FoundEngine, path: string) {
  const { models } = await read(path)
  return listOf(models).find(({ name }) => isSameModel(String(name), served))
}

/** Ollama. The prompt shows all questions of a call. It names options by letters. */
const OLLAMA: KnownFamily = {
  name: "Ollama",
  /** Reads the version and the digest of the weights: another download under the same name is another model. */
  async identify(engine) {
    const { transport, served, signal, read } = engine
    const root = await transport.call("GET", "/", null, signal)
    refuseFailure("/", root.status)
    if (!root.text.includes("Ollama is running")) return null
    const { version } = await read("/api/version")
    const body = new WireBody([`{"model":${JSON.stringify(served)}}`])
    const shown = await transport.call("POST", "/api/show", body, signal)
    const { capabilities } = shown.status === 200 ? membersOf(shown.text) : {}
    if (Array.isArray(capabilities) && !capabilities.includes("decision"))
      throw new Unusable(`${served} is not a decision model.`)
    const digest = (await entryOf(engine, "/api/tags"))?.digest
    const weights = typeof digest === "string" ? ` ${digest.replace("sha256:", "").slice(0, DIGEST_LETTERS)}` : ""
    return typeof version === "string" ? { build: `ollama ${version}${weights}` } : {}
  },
  async loadedContext(engine) {
    const length = (await entryOf(engine, "/api/ps"))?.context_length
    return isCount(length) ? length : null
  },
}

/** SGLang. It reports probabilities over the whole vocabulary, and no build. */
const SGLANG: KnownFamily = {
  name: "SGLang",
  namesItself: true,
  isNormalised: false,
  identify: async ({ listed }) => (listed.owned_by === "sglang" ? {} : null),
}

/** vLLM. It reads each question in a prompt of its own. Its probabilities sum to 1, and the label mass is in `diagnostics`. */
const VLLM: KnownFamily = {
  name: "vLLM",
  namesItself: true,
  questionsPerCall: 64,
  isExplored: true,
  reportsLabelMass: true,
  needsDistinctLevels: true,
  takesCacheSalt: true,
  /** Pins the version, because an upgrade may change prompts and labels. */
  async identify({ listed, read }) {
    if (listed.owned_by !== "vllm") return null
    const { version } = await read("/version")
    return typeof version === "string" ? { facts: { version } } : null
  },
}

/** Any other engine of this protocol: ollaya, a TypeSafe-compatible service. */
const SYSTEM_ONE: Family = { name: "System One", namesItself: true }

/** In the order in which they are recognised. */
export const FAMILIES: readonly KnownFamily[] = [LLAMA_CPP, SGLANG, VLLM, OLLAMA]

/** Returns what is known about a family before a probe. */
export const profileOf = (family: Family): Profile => ({
  family,
  questionsPerCall: family.questionsPerCall ?? 1,
  maxOptions: family.maxOptions ?? 26,
  isStrict: family.isStrict ?? true,
  reportsLabelMass: family.reportsLabelMass ?? false,
  reading: null,
  slots: null,
  cutsAtTokens: null,
})

/** Identifies the engine's family. Throws `Unusable`, or what the transport throws. */
export async function identify(engine: FoundEngine): Promise<Identity & { profile: Profile }> {
  for (const family of FAMILIES) {
    const identity = await family.identify(engine)
    if (identity) return { ...identity, profile: profileOf(family) }
  }
  return { profile: profileOf(SYSTEM_ONE) }
}
