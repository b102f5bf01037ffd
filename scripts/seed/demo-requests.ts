import { seededRandom } from "@/lib/shared/statistics/random"
import { DAY_MS } from "@/lib/shared/time"

export interface DemoRequest {
  at: Date
  /** The position of the key that sent it. */
  key: number
  /** The position of the model. */
  model: number
  tokens: number
  latencyMs: number
  counts: { noul: number; choice: number; score: number }
  /** The code of a request that was refused before it could cost anything; null for one that was answered. */
  refusal: "rate_limited" | "model_unavailable" | "invalid_request" | null
}

const REFUSED_SHARE = 0.02
const REFUSALS = ["rate_limited", "rate_limited", "model_unavailable", "invalid_request"] as const

/** How busy an hour is, from 0 to 1: office hours of weekdays, with a slow growth. */
function weightOf(at: Date, since: number, days: number): number {
  const hour = at.getUTCHours()
  const ofDay = hour >= 7 && hour < 18 ? 1 : 0.25
  const ofWeek = at.getUTCDay() % 6 === 0 ? 0.3 : 1
  return ofDay * ofWeek * (0.5 + (0.5 * (at.getTime() - since)) / (days * DAY_MS))
}

/** Returns made-up requests of the last `days` days in the order of their times. The same seed and end give the same requests. */
export function demoRequests(count: number, days: number, keys: number, until: number, seed = 47): DemoRequest[] {
  const random = seededRandom(seed)
  const since = until - days * DAY_MS
  const times: Date[] = []
  while (times.length < count) {
    const at = new Date(since + random.share() * days * DAY_MS)
    if (random.share() < weightOf(at, since, days)) times.push(at)
  }
  times.sort((a, b) => a.getTime() - b.getTime())
  return times.map((at) => ({
    at,
    // A few keys send most requests.
    key: Math.floor(keys * random.share() ** 2),
    model: random.share() < 0.8 ? 0 : 1,
    tokens: 80 + Math.floor(1_200 * random.share() ** 3),
    latencyMs: 40 + Math.floor(-120 * Math.log(1 - random.share())),
    counts: { noul: 1 + random.below(2), choice: random.below(2), score: random.below(2) },
    refusal: random.share() < REFUSED_SHARE ? (REFUSALS[random.below(REFUSALS.length)] ?? null) : null,
  }))
}
