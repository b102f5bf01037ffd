import { expect, test } from "vitest"
import { compareTexts } from "./compare-texts"

test("shows removed and added words between the same ones", () => {
  expect(compareTexts("I want a refund now.", "I want a lamp now.")).toEqual([
    { kind: "same", text: "I want a " },
    { kind: "removed", text: "refund" },
    { kind: "added", text: "lamp" },
    { kind: "same", text: " now." },
  ])
})

test("cuts what did not change far from a change", () => {
  const far = "word ".repeat(40)
  expect(compareTexts(`${far}a`, `${far}b`)?.map(({ text }) => text)).toEqual([`… ${"word ".repeat(15)}`, "a", "b"])
})

test("does not compare texts that are too long", () => {
  expect(compareTexts("a".repeat(200_000), "b")).toBe(null)
})
