import { expect, test } from "vitest"
import { ALL_RIGHTS, OPERATOR_ROLES, operatorHas, ROLE_NAMES, refusalOf, roleHas } from "./roles"

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
    "service.read": "",
    "service.finance": "",
    "service.operate": "",
  })
})

test("each right belongs to these operators", () => {
  const rolesOf = ALL_RIGHTS.map((right) => [
    right,
    OPERATOR_ROLES.filter((role) => operatorHas(role, right)).join(" "),
  ])
  expect(Object.fromEntries(rolesOf)).toEqual({
    "account.read": "support finance admin",
    "account.manage": "admin",
    "account.close": "admin",
    "account.export": "admin",
    "members.read": "support finance admin",
    "members.manage": "admin",
    "invitations.read": "support finance admin",
    "keys.read": "support finance admin",
    "keys.manage": "admin",
    "decisions.run": "admin",
    "usage.read": "support finance admin",
    "outcomes.manage": "admin",
    "billing.read": "support finance admin",
    "billing.pay": "admin",
    "billing.automate": "admin",
    "tokens.read": "support finance admin",
    "tokens.manage": "admin",
    "webhooks.read": "support finance admin",
    "webhooks.manage": "admin",
    "audit.read": "support finance admin",
    "service.read": "support finance admin",
    "service.finance": "finance admin",
    "service.operate": "admin",
  })
})

test("a refusal names the roles that have the right", () => {
  expect(refusalOf("keys.manage")).toBe("Only an owner or a developer of this account can manage keys.")
  expect(refusalOf("service.read")).toBe("Only an operator of this service can look at its accounts.")
  expect(refusalOf("service.finance")).toBe(
    "Only a finance operator or an admin of this service can credit accounts and settle payments.",
  )
  expect(refusalOf("service.operate")).toBe("Only an admin of this service can change it.")
})
