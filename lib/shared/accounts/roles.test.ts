import { expect, test } from "vitest"
import { ALL_RIGHTS, ROLE_NAMES, refusalOf, roleHas } from "./roles"

test("each right belongs to these roles", () => {
  const rolesOf = ALL_RIGHTS.map((right) => [right, ROLE_NAMES.filter((role) => roleHas(role, right)).join(" ")])
  expect(Object.fromEntries(rolesOf)).toEqual({
    "account.read": "owner developer billing viewer",
    "account.manage": "owner",
    "account.close": "owner",
    "account.export": "owner",
    "members.read": "owner developer billing viewer",
    "members.manage": "owner",
    "invitations.read": "owner",
    "keys.read": "owner developer billing viewer",
    "keys.manage": "owner developer",
    "decisions.run": "owner developer",
    "usage.read": "owner developer billing viewer",
    "outcomes.manage": "owner developer",
    "billing.read": "owner billing viewer",
    "billing.pay": "owner billing",
    "billing.automate": "owner",
    "tokens.read": "owner",
    "tokens.manage": "owner",
    "webhooks.read": "owner developer",
    "webhooks.manage": "owner developer",
    "audit.read": "owner developer viewer",
    "service.operate": "",
  })
})

test("a refusal names the roles that have the right", () => {
  expect(refusalOf("keys.manage")).toBe("Only an owner or a developer of this account can manage keys.")
  expect(refusalOf("service.operate")).toBe("Only the operator of this service can do this.")
})
