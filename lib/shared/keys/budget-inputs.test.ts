import { expect, test } from "vitest"
import { SetBudgetInput } from "./budget-inputs"

const input = { of: "account", tag: "", period: "monthly", limitUsd: "5" }

test("a tag counts only for the budget of a tag, which needs one", () => {
  expect(SetBudgetInput.parse({ ...input, tag: "team=search" }).tag).toBe("")
  expect(SetBudgetInput.parse({ ...input, of: "tag", tag: " team=search " }).tag).toBe("team=search")
  for (const tag of ["", "team", "team=search, env=prod"]) {
    const { error } = SetBudgetInput.safeParse({ ...input, of: "tag", tag })
    expect(error?.issues.map(({ path }) => path)).toEqual([["tag"]])
  }
})

test("the account's own budget is monthly", () => {
  const { error } = SetBudgetInput.safeParse({ ...input, period: "daily" })
  expect(error?.issues.map(({ path }) => path)).toEqual([["period"]])
})
