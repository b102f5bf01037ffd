import { expect, it } from "vitest"
import { facts, table } from "./outcome"

it("aligns words to the left, numbers to the right, and shows nothing as a dash", () => {
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

it("puts the values of facts under each other", () => {
  expect(
    facts([
      ["Id", "key_1"],
      ["Name", "CI"],
    ]),
  ).toBe("Id    key_1\nName  CI")
})
