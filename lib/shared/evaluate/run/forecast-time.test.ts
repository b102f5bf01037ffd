import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { ANSWER, setUp } from "@/test/scripted-run"
import { forecastMs, forecastText, meanLatencyMs } from "./forecast-time"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Runs rows on the timers' own clock. Returns how long that took, and the stored results. */
async function timed(
  rows: number,
  speed: { requestsPerSecond: number; inFlight: number; latencyMs: (row: number) => number },
) {
  const start = performance.now()
  const reply = (row: number) => ({ ...ANSWER, latencyMs: speed.latencyMs(row) }) as typeof ANSWER
  const { finish, stored } = setUp({ rows, reply, ...speed })
  await finish()
  return { ms: performance.now() - start, results: [...stored.values()] }
}

const uneven = (row: number) => 100 + ((row * 37) % 400)

test.each([
  ["the rate, over HTTP/1.1", { requestsPerSecond: 50, inFlight: 5, latencyMs: () => 20 }],
  ["the rate, over HTTP/2", { requestsPerSecond: 50, inFlight: 32, latencyMs: uneven }],
  ["the latency, which is even", { requestsPerSecond: 50, inFlight: 5, latencyMs: () => 400 }],
  ["the latency, which is uneven", { requestsPerSecond: 50, inFlight: 5, latencyMs: uneven }],
  ["both", { requestsPerSecond: 20, inFlight: 5, latencyMs: () => 250 }],
])(
  "where %s limits a run, a pilot of 100 rows forecasts the time of 900 to within three tenths",
  async (_what, speed) => {
    const pilot = await timed(100, speed)
    const latencyMs = meanLatencyMs(pilot.results)
    const forecast = forecastMs(900, { perSecond: speed.requestsPerSecond, inFlight: speed.inFlight, latencyMs })
    const { ms } = await timed(900, speed)
    expect(forecast / ms).toBeGreaterThan(0.7)
    expect(forecast / ms).toBeLessThan(1.3)
  },
)

test("without a measured latency, the forecast is the time at the rate", () => {
  expect(forecastMs(970, { perSecond: 50, inFlight: 5, latencyMs: null })).toBeCloseTo(20_000, 6)
  expect(meanLatencyMs([{ status: "failed" }])).toBeNull()
})

test("a forecast is written in seconds below two minutes, and else to the minute", () => {
  expect([200, 18_400, 119_400, 120_000, 151_000, 3_700_000].map(forecastText)).toEqual([
    "1 s",
    "18 s",
    "119 s",
    "2 min",
    "3 min",
    "1 h 2 min",
  ])
})
