import type { Refusal } from "./decision-model"
import { type Double, type Keyed, parsed, startEngineDouble } from "./engine-double"

interface Reads {
  /** Bodies of the generating requests so far. */
  reads(): Record<string, unknown>[]
  /** The prompt of the read that has just begun, in families whose prefix cache is measured. */
  begun: string[] | null
}

/** A running double of an engine that serves an ordinary chat model. */
export type LabelDouble<Settings> = Double<Settings, unknown> & Reads

/** A double to compare with those of all families. `test/engine-samples.ts` finds the exports of this name. */
export interface LabelSample {
  /** As a probe reports it. */
  family: string
  start(settings?: object): Promise<LabelDouble<Keyed>>
  /** The largest deviation from the exact probability. */
  tolerance: number
}

export interface LabelFamily<Settings> {
  generates: string
  route(double: LabelDouble<Settings>, method: string, path: string, body: Record<string, unknown>): unknown
  errorOf(refusal: Refusal): unknown
}

/** Starts a double on this port of 127.0.0.1. Port 0 takes a free one. Rejects when the port is in use. */
export function startLabelDouble<Settings extends Keyed>(
  { generates, route, errorOf }: LabelFamily<Settings>,
  settings: Settings,
  port: number,
): Promise<LabelDouble<Settings>> {
  const family = {
    path: generates,
    // As vLLM's `--api-key` does, the key protects only the routes under /v1. Doubles of other engines do the same here.
    isProtected: (path: string) => path.startsWith("/v1"),
    route: (double: LabelDouble<Settings>, method: string, path: string, body: string) =>
      route(double, method, path, parsed(body)),
    async answer(double: LabelDouble<Settings>, body: string, pause: () => Promise<void>) {
      const answer = route(double, "POST", generates, parsed(body))
      const { begun } = double
      await pause()
      // A prompt is in the cache only when its read has ended.
      if (begun) double.prompts.end(begun)
      return answer
    },
    errorOf,
  }
  return startEngineDouble<Settings, Reads, unknown>(family, settings, port, (base) => ({
    reads: () => base.requests.filter(({ path }) => path === generates).map(({ body }) => parsed(body)),
    begun: null,
  }))
}
