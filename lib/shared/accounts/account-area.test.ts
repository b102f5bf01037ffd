import { expect, test } from "vitest"
import { addressIn } from "./account-area"

const BASE = "/operator/accounts/acc_00000000000000000000000001"

test.each([
  "/usage",
  "/usage?days=7",
  "/billing#ledger",
  "/billing/statements",
  "/billing/statement?month=2026-11",
  "/keys/key_01",
  "/requests/req_01?x=1",
  "/settings/audit",
])("a link to %s stays with the account that the operator looks at", (href) =>
  expect(addressIn(BASE, href)).toBe(`${BASE}${href}`),
)

test.each(["/usages", "/billing/top-up", "/keys/key_01/x", "/docs/errors", "https://example.com/usage", "/playground"])(
  "a link to %s does not change",
  (href) => expect(addressIn(BASE, href)).toBe(href),
)

test("outside the operator's area no link changes", () => expect(addressIn("", "/usage?days=7")).toBe("/usage?days=7"))
