import fc from "fast-check"
import { expect, test } from "vitest"
import { groupRows, onePerGroup } from "./group-rows"

test("equal states are one group, and so are rows with the same value, also through one another", () => {
  const states = ["a", "b", "a", "c", "d", "e"]
  expect([...groupRows(states, [])]).toEqual([0, 1, 0, 2, 3, 4])
  expect([...groupRows(states, ["x", "y", "y", null, "z", "z"])]).toEqual([0, 0, 0, 1, 2, 2])
})

test("rows without a value belong to no other row", () => {
  expect([...groupRows(["a", "b", "c"], [null, null, null])]).toEqual([0, 1, 2])
})

test("two rows are in one group exactly when equal states and values connect them", () => {
  const row = fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.option(fc.constantFrom("x", "y", "z")))
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const groups = groupRows(
        rows.map(([state]) => state),
        rows.map(([, value]) => value),
      )
      // Spreads the lowest row number until nothing changes.
      const reached = rows.map((_, at) => at)
      for (let round = 0; round < rows.length; round++)
        for (const [at, [state, value]] of rows.entries())
          for (const [other, [otherState, otherValue]] of rows.entries())
            if (state === otherState || (value !== null && value === otherValue))
              reached[at] = Math.min(reached[at] ?? 0, reached[other] ?? 0)
      for (const at of rows.keys())
        for (const other of rows.keys()) expect(groups[at] === groups[other]).toBe(reached[at] === reached[other])
    }),
  )
})

test("each group gives one row, the same one for the same seed, and every row of it can be drawn", () => {
  const groups = [0, 0, 0, 1, 2, 2]
  expect(onePerGroup(groups)).toEqual(onePerGroup(groups))
  const draws = Array.from({ length: 300 }, (_, seed) => onePerGroup(groups, seed))
  expect(draws.every((drawn) => drawn.map((row) => groups[row]).join() === "0,1,2")).toBe(true)
  const counts = groups.map((_, row) => draws.filter((drawn) => drawn.includes(row)).length)
  expect(counts[3]).toBe(300)
  for (const row of [0, 1, 2]) expect(counts[row]).toBeGreaterThan(70)
  for (const row of [4, 5]) expect(counts[row]).toBeGreaterThan(115)
})
