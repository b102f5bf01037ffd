import fc from "fast-check"
import { expect, test } from "vitest"
import { testDatabase } from "@/test/database"
import { percentileMs } from "./percentile"

/** As `latency_bucket` in SQL. */
const bucketOf = (ms: number): number => (ms < 1 ? 0 : 1 + Math.floor((8 * Math.log(ms)) / Math.log(2) + 1e-9))

function count(list: number[]): number[] {
  const counts: number[] = []
  for (const bucket of list.map(bucketOf)) {
    while (counts.length <= bucket) counts.push(0)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}

test("the database puts every latency into the bucket that the page reads it from", async () => {
  const { pool, close } = await testDatabase()
  const { rows } = await pool.query<{ ms: number; bucket: number }>(
    "SELECT ms, latency_bucket(ms) AS bucket FROM generate_series(0, 150000) AS ms WHERE ms < 4100 OR ms % 37 < 3",
  )
  await close()
  expect(rows.filter(({ ms, bucket }) => bucketOf(ms) !== bucket)).toEqual([])
})

test("histograms of the database add up bucket by bucket, whatever their lengths", async () => {
  const { pool, close } = await testDatabase()
  const { rows } = await pool.query<{ longer: string[]; shorter: string[]; none: string[] }>(
    `SELECT add_counts('{7,0,0,1}', '{0,0,0,999999999998,0,42}') AS longer, add_counts('{0,0,0,999999999998,0,42}', '{7,0,0,1}') AS shorter,
       add_counts('{}', '{}') AS none`,
  )
  await close()
  const sum = ["7", "0", "0", "999999999999", "0", "42"]
  expect(rows).toEqual([{ longer: sum, shorter: sum, none: [] }])
})

test("the result is null without an answer, and exact up to 11 ms", () => {
  expect(percentileMs([], 0.5)).toBeNull()
  for (let ms = 0; ms <= 11; ms++) expect(percentileMs(count([ms]), 0.95)).toBe(ms)
  expect(percentileMs(count([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), 0.5)).toBe(5)
  expect(percentileMs(count([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), 0.95)).toBe(10)
})

test("the result is at most 9 % off, whatever the latencies", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 120_000 }), { minLength: 1, maxLength: 300 }),
      fc.constantFrom(0.01, 0.5, 0.95, 0.99, 1),
      (list, share) => {
        const exact = list.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(list.length * share)) - 1] ?? 0
        const found = percentileMs(count(list), share) ?? -1
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.0906)
      },
    ),
    { numRuns: 300 },
  )
})
