import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { TOPUP_EVENTS } from "./stripe-events"

test("the README lists exactly the handled events", () => {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8")
  const named = readme.match(/\b(?:checkout\.session|charge|refund)\.[a-z_.]+/g)
  expect(named?.toSorted()).toEqual([...TOPUP_EVENTS].toSorted())
})
