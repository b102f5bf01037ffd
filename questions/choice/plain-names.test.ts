import { expect, test } from "vitest"
import { distinctNames } from "../distinct-names"
import { plainNames } from "./plain-names"

test("names that a strict engine accepts are kept", () => {
  const names = ["Billing", "shipping ", "10", "__proto__", "日本"]
  expect(plainNames(names)).toEqual(names)
})

test("names that differ only in case and outer white space are numbered, and the first is kept", () => {
  expect(plainNames(["Billing", "billing", " BILLING ", "Straße", "STRASSE"])).toEqual([
    "Billing",
    "billing (2)",
    "BILLING (3)",
    "Straße",
    "STRASSE (2)",
  ])
})

test("a number that would produce another option's name is skipped", () => {
  expect(plainNames(["a", "A", "a (2)"])).toEqual(["a", "A (3)", "a (2)"])
})

test("control characters become spaces and a blank name becomes Option", () => {
  expect(plainNames(["a\nb", "a b", "\u0000", "  ", "\t\u0085"])).toEqual([
    "a b (2)",
    "a b",
    "Option",
    "Option (2)",
    "Option (3)",
  ])
})

test("a numbered name has at most 128 characters and is still unique", () => {
  const [long, short] = ["😀".repeat(128), "😀".repeat(124)]
  const names = [long, long, `${short} (2)`, long]
  const numbered = [long, `${short} (3)`, `${short} (2)`, `${short} (4)`]
  expect(distinctNames(names)).toEqual(numbered)
  expect(plainNames(names)).toEqual(numbered)
})
