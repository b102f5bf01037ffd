import { expect, test } from "vitest"
import { buildWithAction } from "@/test/build-with-action"
import { readActionMap } from "./action-map"

const ID = "7f".padEnd(42, "0")

test.each([
  ["app/(public)/page", "/", ["", "//", "/keys"]],
  ["app/(console)/keys/(list)/page", "/keys", ["/keys/", "/keys/key_1", "//keys", "/Keys"]],
  [
    "app/(console)/keys/[id]/page",
    "/keys/key_1",
    ["/keys", "/keys/", "/keys/a/b", "/models/key_1", "/keys/export.csv"],
  ],
  ["app/(console)/operator/accounts/[id]/page", "/operator/accounts/acc_1", ["/operator/accounts", "/operator"]],
])("an action of %s is found at %s only", (page, address, others) => {
  const ownsAction = readActionMap(buildWithAction(ID, page))
  expect(ownsAction(address, ID)).toBe(true)
  expect(others.filter((other) => ownsAction(other, ID))).toEqual([])
})

test.each(["", "__proto__", "constructor", ID.toUpperCase(), `${ID}0`])("no page has the action %j", (id) => {
  expect(readActionMap(buildWithAction(ID, "app/(public)/page"))("/", id)).toBe(false)
})
