import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { TOPUP_EVENTS } from "./stripe-events"

test("docs/operating.md lists exactly the handled events", () => {
  const guide = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8")
  const named = guide.match(/\b(?:checkout\.session|charge|refund)\.[a-z_.]+/g)
  expect(named?.toSorted()).toEqual([...TOPUP_EVENTS].toSorted())
})
