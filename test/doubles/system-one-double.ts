import type { DecisionBody, Refusal } from "./decision-model"
import { type Double, type EngineFamily, type Keyed, parsed, startEngineDouble } from "./engine-double"

export type AnyDouble = Double<Keyed>

/** A double to compare with those of all families. `test/engine-samples.ts` finds the exports of this name. */
export interface EngineSample {
  name: string
  /** As a probe reports it. */
  family: string
  start(): Promise<AnyDouble>
  model: string
  /** The largest deviation from the exact probability: the family's rounding step. */
  step: number
}

export interface Family<Settings, Of extends Double<Settings> = Double<Settings>> {
  /** Whether the engine's key protects a path. Default: all. */
  isProtected?(path: string): boolean
  /** Returns the response of a route, or throws a `Refusal`. */
  route(double: Of, method: string, path: string, body: string): unknown
  /** Returns the response to a decision request and the prompts read for it, as tokens. */
  decide(body: Record<string, unknown>, settings: Settings, double: Of): { answer: DecisionBody; prompts: string[][] }
  /** Computes the prompts. Default: all at once, each reusing the longest computed prefix. */
  compute?(double: Of, prompts: string[][], signal: AbortSignal): Promise<void>
  /** Parses the body of a decision request. Default: malformed JSON is 400. */
  parse?(text: string, settings: Settings): Record<string, unknown>
  closesAfterError?: boolean
  errorOf(refusal: Refusal): unknown
}

const served = <Settings, Of extends Double<Settings>>(family: Family<Settings, Of>): EngineFamily<Of> => ({
  ...family,
  path: "/v1/systemone",
  async answer(double, body, pause, signal) {
    const { settings, prompts: cache } = double
    const { answer, prompts } = family.decide((family.parse ?? parsed)(body, settings), settings, double)
    if (!family.compute) for (const prompt of prompts) cache.begin(prompt)
    await pause()
    if (family.compute) await family.compute(double, prompts, signal)
    else for (const prompt of prompts) cache.end(prompt)
    return answer
  },
})

/** Starts a double. `extend` returns what the family's double has in addition to the common parts. */
export const startDouble = <Settings extends Keyed, Extra extends object = object>(
  family: Family<Settings, Double<Settings> & Extra>,
  settings: Settings,
  port = 0,
  extend: (base: Double<Settings>) => Extra = () => ({}) as Extra,
): Promise<Double<Settings> & Extra> => startEngineDouble(served(family), settings, port, extend)
