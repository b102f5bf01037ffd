import type { Members } from "@/questions/engine-wire"
import { CEILINGS } from "@/questions/limits"
import { Unusable } from "../unusable"
import type { Reading } from "./reads-apart"
import { WireBody } from "./request-body"
import type { Transport } from "./transport"

/** How one family of engines accepts questions. Calls are split to fit, and texts are rewritten where needed. */
export interface Profile {
  family: "llama.cpp" | "Ollama" | "System One"
  /** The maximum number of questions in a call to an engine that reads each apart. Others get one per call. */
  questionsPerCall: number
  /** Null until a probe has determined how the engine reads several questions. */
  reading: Reading | null
  /** How many prompts the engine reads at once. Null when it does not report that. */
  slots: number | null
  maxOptions: number
  /** Accepts only non-blank strings, and option names that differ in more than case and white space. */
  isStrict: boolean
  /** A prompt of this many tokens may have been truncated silently. Null: the engine refuses longer input. */
  cutsAtTokens: number | null
}

/** `llama-server`. One question per call until a probe shows that it reads each apart. Its option limit is learned. */
export const LLAMA_CPP: Profile = {
  family: "llama.cpp",
  questionsPerCall: CEILINGS.questions,
  reading: null,
  slots: null,
  maxOptions: 255,
  isStrict: false,
  cutsAtTokens: null,
}

/**
 * Ollama. One question per call, because the prompt shows all questions of a call. It names options by letters, so
 * there are at most 26.
 */
export const OLLAMA: Profile = {
  family: "Ollama",
  questionsPerCall: 1,
  reading: null,
  slots: null,
  maxOptions: 26,
  isStrict: true,
  cutsAtTokens: null,
}

/**
 * Any other engine of this protocol (SGLang, ollaya, a TypeSafe-compatible service), with the strictest limits of all
 * families.
 */
export const SYSTEM_ONE: Profile = {
  family: "System One",
  questionsPerCall: 1,
  reading: null,
  slots: null,
  maxOptions: 26,
  isStrict: true,
  cutsAtTokens: null,
}

/** Parses a JSON object. Returns no members for any other text. */
export function membersOf(text: string): Members {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Members) : {}
  } catch {
    return {}
  }
}

export const listOf = (value: unknown): Members[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === "object" && entry !== null) : []

/** Throws `Unusable` when the engine refused the API key or is still loading. */
export function refuseStatus(status: number): void {
  if (status === 401 || status === 403) throw new Unusable(`The engine refuses its API key (HTTP ${status}).`)
  if (status === 503) throw new Unusable("The engine is not ready: it is loading its model (HTTP 503).")
}

/** Throws `Unusable` for a failure of an engine or proxy. It does not show whether the engine has the route. */
function refuseFailure(path: string, status: number): void {
  const isFailure = [408, 425, 429].includes(status) || (status >= 500 && status !== 501)
  if (isFailure) throw new Unusable(`The engine cannot be identified now: GET ${path} failed (HTTP ${status}).`)
}

/** What engines that can read an ordinary chat model by its labels write about each model they list. */
const OWNERS = new Set<unknown>(["vllm", "sglang", "llamacpp"])

/**
 * Returns the sentence that suggests `--labels`, with a space before it. Empty when the engine is not known to support
 * that. It asks for a new id, because an id keeps its kind of engine.
 */
export const suggestLabels = (served: string, { owned_by: owner }: Members): string =>
  OWNERS.has(owner) ? ` If ${served} is an ordinary chat model, add a new id with \`model add … --labels\`.` : ""

export interface Identity {
  profile: Profile
  build?: string
  slots?: number
  /** llama.cpp's `/props`. */
  props?: Members
}

const DIGEST_LETTERS = 12

/** Returns whether two names are the same model. Ollama adds the tag `latest` to a name without one. */
export const isSameModel = (name: string, other: string): boolean =>
  name === other || name === `${other}:latest` || `${name}:latest` === other

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value) && value > 0

/** Returns the members of an engine's JSON at a path, none when it has no such route. Throws `Unusable` for a failure. */
export async function membersAt(transport: Transport, path: string, signal: AbortSignal): Promise<Members> {
  const { status, text } = await transport.call("GET", path, null, signal)
  refuseStatus(status)
  refuseFailure(path, status)
  return status === 200 ? membersOf(text) : {}
}

/** Reads build and slots from `GET /props`. Null when the engine has no such route. */
async function asLlamaCpp(transport: Transport, signal: AbortSignal): Promise<Identity | null> {
  const props = await membersAt(transport, "/props", signal)
  const { build_info: build, total_slots: slots } = props
  if (build === undefined && slots === undefined) return null
  return {
    profile: LLAMA_CPP,
    props,
    ...(typeof build === "string" && build ? { build } : {}),
    ...(isCount(slots) ? { slots } : {}),
  }
}

/** Reads Ollama's version and the digest of the weights: another download under the same name is another model. */
async function asOllama(transport: Transport, served: string, signal: AbortSignal): Promise<Identity | null> {
  const root = await transport.call("GET", "/", null, signal)
  refuseFailure("/", root.status)
  if (!root.text.includes("Ollama is running")) return null
  const { version } = await membersAt(transport, "/api/version", signal)
  const body = new WireBody([`{"model":${JSON.stringify(served)}}`])
  const shown = await transport.call("POST", "/api/show", body, signal)
  const { capabilities } = shown.status === 200 ? membersOf(shown.text) : {}
  if (Array.isArray(capabilities) && !capabilities.includes("decision"))
    throw new Unusable(`${served} is not a decision model.`)
  const { models } = await membersAt(transport, "/api/tags", signal)
  const digest = listOf(models).find(({ name }) => isSameModel(String(name), served))?.digest
  const weights = typeof digest === "string" ? ` ${digest.replace("sha256:", "").slice(0, DIGEST_LETTERS)}` : ""
  return { profile: OLLAMA, ...(typeof version === "string" ? { build: `ollama ${version}${weights}` } : {}) }
}

/**
 * Returns the context for which Ollama loaded the model, in tokens. Null when Ollama does not report it. It truncates longer
 * input of some models silently.
 */
export async function loadedContext(transport: Transport, served: string, signal: AbortSignal): Promise<number | null> {
  const { models } = await membersAt(transport, "/api/ps", signal)
  const loaded = listOf(models).find(({ name }) => isSameModel(String(name), served))
  return isCount(loaded?.context_length) ? loaded.context_length : null
}

/** Identifies the engine's family. Throws `Unusable`, or what the transport throws. */
export async function identify(transport: Transport, served: string, signal: AbortSignal): Promise<Identity> {
  const llamaCpp = await asLlamaCpp(transport, signal)
  return llamaCpp ?? (await asOllama(transport, served, signal)) ?? { profile: SYSTEM_ONE }
}
