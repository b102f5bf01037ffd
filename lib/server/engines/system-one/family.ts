import type { Members } from "@/questions/engine-wire"
import type { PinnedFacts } from "../pinned-facts"
import { Unusable } from "../unusable"
import type { Reading } from "./question-reading"
import type { ReplyRules } from "./response"
import type { Transport } from "./transport"

/** An engine that listed the model. */
export interface FoundEngine {
  transport: Transport
  /** The model name that requests send to it. */
  served: string
  /** The model's entry in the engine's list of models. */
  listed: Members
  /** Returns the members of the engine's JSON at a path, none when it has no such route. Throws `Unusable` for a failure. */
  read(path: string): Promise<Members>
  signal: AbortSignal
}

/** What an engine reports about itself. */
export interface Identity {
  build?: string
  slots?: number
  /** What it reports about itself or its weights besides the build and the list of models. */
  facts?: PinnedFacts
  /** llama.cpp's `/props`. */
  props?: Members
}

/** One family of engines. What a row leaves out has the strictest meaning. */
export interface Family {
  name: string
  /** The maximum number of questions in a call to an engine that reads each apart; 1 by default. */
  questionsPerCall?: number
  /** 26 by default. */
  maxOptions?: number
  /** Whether it accepts only non-blank strings, and option names that differ in more than case and white space. True by default. */
  isStrict?: boolean
  /** Whether a probe finds out how it reads several questions and states that are objects. Else they are sent one by one, as text. */
  isExplored?: boolean
  /** Whether early versions crash on some texts, which are refused. */
  crashesOnMarkup?: boolean
  /** Whether the probabilities of an answer sum to 1. Otherwise they sum to its label mass. True by default. */
  isNormalised?: boolean
  /** Whether it reports the label mass of every answer. False by default: until it has reported one. */
  reportsLabelMass?: boolean
  /** Whether it refuses a score with equal levels. */
  needsDistinctLevels?: boolean
  /** Whether it keeps the prompt caches of requests with different `cache_salt` apart. */
  takesCacheSalt?: boolean
  /** Whether its responses name the model that it serves, not the requested one. This name is pinned if it reports no build. */
  namesItself?: boolean
  /** Present when it loads a model on its first request: returns the context in tokens, above which it truncates input silently. */
  loadedContext?(engine: FoundEngine): Promise<number | null>
}

/** A row of `FAMILIES`. */
export interface KnownFamily extends Family {
  /** Returns null when the engine is of another family. Throws `Unusable` when its model cannot be used. */
  identify(engine: FoundEngine): Promise<Identity | null>
}

/** How an engine accepts questions. Calls are split to fit, and texts are rewritten where needed. */
export interface Profile
  extends Required<Pick<Family, "questionsPerCall" | "maxOptions" | "isStrict" | "reportsLabelMass">> {
  family: Family
  /** Null until a probe has determined how the engine reads several questions. */
  reading: Reading | null
  /** How many prompts the engine reads at once. Null when it does not report that. */
  slots: number | null
  /** A prompt of this many tokens may have been truncated silently. Null: the engine refuses longer input. */
  cutsAtTokens: number | null
}

/** Returns how an engine's replies are read. `clamped` is called for a probability that was clamped to 0 or 1. */
export const rulesOf = ({ family, reportsLabelMass }: Profile, clamped: () => void): ReplyRules => ({
  isNormalised: family.isNormalised ?? true,
  needsLabelMass: reportsLabelMass,
  clamped,
})

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
export function refuseFailure(path: string, status: number): void {
  const isFailure = [408, 425, 429].includes(status) || (status >= 500 && status !== 501)
  if (isFailure) throw new Unusable(`The engine cannot be identified now: GET ${path} failed (HTTP ${status}).`)
}

/** Returns whether two names are the same model. Ollama adds the tag `latest` to a name without one. */
export const isSameModel = (name: string, other: string): boolean =>
  name === other || name === `${other}:latest` || `${name}:latest` === other

/** Returns the members of an engine's JSON at a path, none when it has no such route. Throws `Unusable` for a failure. */
export async function membersAt(transport: Transport, path: string, signal: AbortSignal): Promise<Members> {
  const { status, text } = await transport.call("GET", path, null, signal)
  refuseStatus(status)
  refuseFailure(path, status)
  return status === 200 ? membersOf(text) : {}
}
