import { describe, expect, test } from "vitest"
import { checkClaims, EXPECTED, mostBroken, pooledSplit, simulate } from "@/test/claim-simulation"
import { unevenWorlds, YES_NO_WORLDS } from "@/test/evaluate-worlds"

// Populations whose error rates are known. claims.slow.test.ts draws more sets and has narrower limits.
describe.each(EXPECTED)("sets of $rows rows", (expected) => {
  test("automate as many rows as the method, and break their claim in at most 5% of the sets", () => {
    checkClaims(expected, { sets: 30, seed: 52, room: 0.05 })
  })
})

test("the split breaks its claim in at most 5% of the sets, also where the surest answers are the bad ones", () => {
  const sets = 60
  const found = simulate(pooledSplit, [...YES_NO_WORLDS, ...unevenWorlds(0.05)], {
    rows: 600,
    target: 0.05,
    sets,
    seed: 7,
  })
  expect(found.worst).toBeLessThanOrEqual(mostBroken(sets))
  expect(found.automatic).toBeGreaterThan(0.2)
})
