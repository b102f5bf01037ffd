import { expect, test } from "vitest"
import { priceRun, samplePositions } from "./price-run"

test("a small set is counted whole and priced exactly", () => {
  const bytes = [10, 30, 20]
  expect(samplePositions(bytes)).toEqual([0, 2, 1])
  const counted = [
    { bytes: 10, tokens: 7 },
    { bytes: 20, tokens: 9 },
    { bytes: 30, tokens: 14 },
  ]
  expect(priceRun(bytes, counted)).toEqual({ tokens: 30, low: 30, high: 30, isExact: true })
})

test("the sample of a large set reaches from the shortest to the longest row", () => {
  const bytes = Array.from({ length: 1_000 }, (_, at) => (at * 7_919) % 1_000)
  const positions = samplePositions(bytes)
  expect(positions).toHaveLength(16)
  expect(bytes[positions[0] ?? 0]).toBe(0)
  expect(bytes[positions.at(-1) ?? 0]).toBe(999)
})

test("tokens that follow the bytes exactly have no range", () => {
  const bytes = Array.from({ length: 500 }, (_, at) => 100 + at)
  const counted = samplePositions(bytes).map((at) => ({ bytes: bytes[at] ?? 0, tokens: 12 + (bytes[at] ?? 0) / 4 }))
  const tokens = bytes.reduce((sum, size) => sum + 12 + size / 4, 0)
  const priced = priceRun(bytes, counted)
  expect(priced.tokens).toBe(Math.round(tokens))
  expect(priced.high - priced.low).toBeLessThanOrEqual(2)
})

test("the range covers the true total of noisy rows about as often as it says", () => {
  let seed = 1
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  let covered = 0
  for (let round = 0; round < 400; round++) {
    const rows = Array.from({ length: 300 }, () => {
      const bytes = Math.round(50 + random() * 900)
      return { bytes, tokens: Math.round(20 + bytes * (0.2 + random() * 0.1)) }
    })
    const bytes = rows.map((row) => row.bytes)
    const counted = samplePositions(bytes).flatMap((at) => rows[at] ?? [])
    const { low, high } = priceRun(bytes, counted)
    const tokens = rows.reduce((sum, row) => sum + row.tokens, 0)
    if (low <= tokens && tokens <= high) covered++
  }
  expect(covered).toBeGreaterThanOrEqual(370)
})
