import { expect, test } from "vitest"
import { FIRST_GOAL, type Subject } from "./automation"
import { passChances, passChancesText } from "./more-rows"

const CHANCES: Record<number, number> = { 300: 0.12, 900: 0.78, 2700: 0.96, 8100: 0.999, 1500: 0.85 }
const AUTOMATABLE = {
  find: () => ({ automation: null, unproved: [] }),
  chance: (_goal: unknown, _subject: Subject, rows: number) => CHANCES[rows] ?? 0.01,
}
const textOf = (rows: number, available: number) =>
  passChancesText(passChances(AUTOMATABLE, FIRST_GOAL, "all", { rows, available }))

test("a pilot says in tenths how likely larger runs pass, all rows of the set among them", () => {
  expect(textOf(100, 1_500)).toBe("300 rows: 1 in 10; 900: 8 in 10; 1,500: 9 in 10; 2,700: more than 9 in 10")
  expect(textOf(100, 200)).toBe("200 rows: less than 1 in 10; 300: 1 in 10; 900: 8 in 10; 2,700: more than 9 in 10")
})

test("a larger run is followed by larger ones only", () => {
  expect(textOf(900, 900)).toBe("2,700 rows: more than 9 in 10; 8,100: more than 9 in 10")
  expect(textOf(20_000, 20_000)).toBe("")
})
