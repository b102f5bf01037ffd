import { expect, test } from "vitest"
import { sumsBy } from "./statement-sums"

const row = (key: string, cost: number) => ({ key, decisions: "1", tokens: "10", cost: String(cost) })
const byKey = ({ key }: { key: string }) => key

test("rows are added up by name, the most expensive first and equal ones by name", () => {
  expect(sumsBy([row("b", 5), row("c", 7), row("a", 5), row("c", 1)], 10, byKey)).toEqual([
    { name: "c", decisions: 2, tokens: 20, amountUsd: "-0.000000000008" },
    { name: "a", decisions: 1, tokens: 10, amountUsd: "-0.000000000005" },
    { name: "b", decisions: 1, tokens: 10, amountUsd: "-0.000000000005" },
  ])
})

test("as many names as lines are all shown; of one more the last two become one line, so that nothing is lost", () => {
  const rows = [row("a", 9), row("b", 8), row("c", 7), row("d", 6)]
  const shown = (names: number) => sumsBy(rows.slice(0, names), 3, byKey).map(({ name }) => name)
  expect(shown(3)).toEqual(["a", "b", "c"])
  expect(shown(4)).toEqual(["a", "b", "2 others"])
  expect(sumsBy(rows, 3, byKey).at(-1)).toEqual({
    name: "2 others",
    decisions: 2,
    tokens: 20,
    amountUsd: "-0.000000000013",
  })
})

test("a free charge has an amount of zero", () => {
  expect(sumsBy([row("a", 0)], 10, byKey)[0]?.amountUsd).toBe("0.000000000000")
})
