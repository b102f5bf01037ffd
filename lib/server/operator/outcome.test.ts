import { expect, it } from "vitest"
import { facts, table } from "./outcome"

it("aligns text left and numbers right, and shows null as a dash", () => {
  const text = table(
    ["Name", "Masked", "Spent"],
    [
      ["CI", null, "$0.50"],
      ["Playground", null, "$12.00"],
    ],
  )
  expect(text).toBe(
    ["Name        Masked   Spent", "CI          –        $0.50", "Playground  –       $12.00"].join("\n"),
  )
})

it("aligns the values of facts", () => {
  expect(
    facts([
      ["Id", "key_1"],
      ["Name", "CI"],
    ]),
  ).toBe("Id    key_1\nName  CI")
})
