import fc from "fast-check"
import { expect, test } from "vitest"
import { testDatabase } from "@/test/database"
import { countsOf, percentileMs } from "./percentile"

/** As the migration's `latency_bucket`. */
const bucketOf = (ms: number): number => (ms < 1 ? 0 : 1 + Math.floor((8 * Math.log(ms)) / Math.log(2) + 1e-9))

/** The number that the database would hold. */
const sumOf = (list: number[]): bigint => list.reduce((sum, ms) => sum + 10n ** BigInt(12 * bucketOf(ms)), 0n)
const count = (list: number[]) => countsOf(sumOf(list))

test("the database puts every latency into the bucket that the page reads it from", async () => {
  const { pool, close } = await testDatabase()
  const { rows } = await pool.query<{ ms: number; bucket: number }>(
    "SELECT ms, latency_bucket(ms) AS bucket FROM generate_series(0, 150000) AS ms WHERE ms < 4100 OR ms % 37 < 3",
  )
  await close()
  expect(rows.filter(({ ms, bucket }) => bucketOf(ms) !== bucket)).toEqual([])
})

test("one number of the database holds the counts of all buckets, and such numbers add up", async () => {
  const { pool, close } = await testDatabase()
  const { rows } = await pool.query<{ latencies: string }>(
    `SELECT sum(n * latency_unit(bucket::smallint))::text AS latencies
     FROM (VALUES (0::smallint, 7::bigint), (23, 999999999998), (23, 1), (136, 42)) AS counted(bucket, n)`,
  )
  await close()
  expect(countsOf(BigInt(rows[0]?.latencies ?? 0))).toEqual([
    [0, 7],
    [23, 999_999_999_999],
    [136, 42],
  ])
})

test("nothing answered has no latency, and up to 11 ms it is exact", () => {
  expect(percentileMs(countsOf(0n), 0.5)).toBeNull()
  for (let ms = 0; ms <= 11; ms++) expect(percentileMs(count([ms]), 0.95)).toBe(ms)
  expect(percentileMs(count([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), 0.5)).toBe(5)
  expect(percentileMs(count([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), 0.95)).toBe(10)
})

test("it is at most 9 % off, whatever the latencies", () => {
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
