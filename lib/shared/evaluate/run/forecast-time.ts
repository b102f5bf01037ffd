import { formatSpan } from "@/lib/shared/format"
import { SHARE_OF_LIMIT } from "./pace"

interface Speed {
  /** The rate limit, in requests per second. */
  perSecond: number
  /** Requests at the same time. */
  inFlight: number
  /** The mean time of a request in ms; null while none was measured. */
  latencyMs: number | null
}

/** Returns how long a run takes, in ms: as fast as its rate or the requests at the same time allow. Without a latency, at least. */
export function forecastMs(requests: number, { perSecond, inFlight, latencyMs }: Speed): number {
  const perRequest = Math.max(1_000 / (perSecond * SHARE_OF_LIMIT), (latencyMs ?? 0) / inFlight)
  return requests * perRequest + (latencyMs ?? 0)
}

/** Returns the mean latency of the answers of a run, in ms; null without answers. */
export function meanLatencyMs(results: readonly { status: string; latencyMs?: number }[]): number | null {
  const latencies = results.flatMap(({ status, latencyMs }) => (status === "answered" && latencyMs ? [latencyMs] : []))
  return latencies.length === 0 ? null : latencies.reduce((sum, each) => sum + each, 0) / latencies.length
}

const MINUTE_MS = 60_000

/** Writes a forecast in seconds below two minutes, and else to the minute. */
export const forecastText = (ms: number): string =>
  ms < 2 * MINUTE_MS ? `${Math.max(1, Math.round(ms / 1_000))} s` : formatSpan(Math.round(ms / MINUTE_MS) * MINUTE_MS)
