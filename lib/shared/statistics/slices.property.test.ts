import fc from "fast-check"
import { expect, test } from "vitest"
import { benjaminiHochberg, fisherGreater } from "./slices"

const choose = (from: number, chosen: number): bigint => {
  let product = 1n
  for (let at = 0; at < chosen; at++) product = (product * BigInt(from - at)) / BigInt(at + 1)
  return product
}

/** The same p-value from exact integers. */
function exactGreater(slice: { rows: number; wrong: number }, rest: { rows: number; wrong: number }): number {
  const wrong = slice.wrong + rest.wrong
  const right = slice.rows + rest.rows - wrong
  let sum = 0n
  for (let count = slice.wrong; count <= Math.min(slice.rows, wrong); count++)
    if (slice.rows - count <= right) sum += choose(wrong, count) * choose(right, slice.rows - count)
  return Number((sum * 10n ** 15n) / choose(slice.rows + rest.rows, slice.rows)) / 1e15
}

const counts = fc
  .tuple(fc.nat(120), fc.nat(120))
  .map(([a, b]) => ({ rows: Math.max(a, b), wrong: Math.min(a, b) }))
  .filter(({ rows }) => rows > 0)

test("Fisher's test is that of exact integers", () => {
  fc.assert(
    fc.property(counts, counts, (slice, rest) => {
      expect(fisherGreater(slice, rest)).toBeCloseTo(exactGreater(slice, rest), 9)
    }),
  )
})

test("of two parts, the test of at least as many wrong rows and that of the other part overlap in the table itself only", () => {
  fc.assert(
    fc.property(counts, counts, (slice, rest) => {
      const both = fisherGreater(slice, rest) + fisherGreater(rest, slice)
      expect(both).toBeGreaterThan(1 - 1e-9)
      expect(both).toBeLessThanOrEqual(2)
    }),
  )
})

// Few different ones, so that ties are common.
const pValue = fc.nat(1_000).map((thousandths) => thousandths / 1_000)
const pValues = fc.array(pValue, { minLength: 1, maxLength: 40 })

test("q-values are at least the p-values, keep their order, are at most 1, and count as many as the step-up procedure", () => {
  fc.assert(
    fc.property(pValues, fc.constantFrom(0.05, 0.1, 0.3), (values, rate) => {
      const found = benjaminiHochberg(values)
      for (const [at, p] of values.entries()) {
        expect(found[at]).toBeGreaterThanOrEqual(p - 1e-15)
        expect(found[at]).toBeLessThanOrEqual(1)
        for (const [other, q] of found.entries()) if (p < (values[other] ?? 0)) expect(found[at]).toBeLessThanOrEqual(q)
      }
      const sorted = values.toSorted((a, b) => a - b)
      const last = sorted.findLastIndex((p, at) => (p * values.length) / (at + 1) <= rate)
      expect(found.filter((q) => q <= rate)).toHaveLength(last + 1)
    }),
  )
})
