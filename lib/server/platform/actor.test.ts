import { expect, test } from "vitest"
import { ALL_RIGHTS, type Right } from "@/lib/shared/accounts/roles"
import { ALL_SCOPES } from "@/lib/shared/auth/confirmations"
import { signedInAt } from "@/test/sign-up"
import {
  type Actor,
  hasRight,
  isConfirmed,
  OPERATOR,
  requireConfirmed,
  requireRight,
  SYSTEM,
  type UserActor,
  VISITOR,
} from "./actor"

const OWNER: UserActor = {
  type: "user",
  accountId: "a",
  userId: "u",
  sessionId: "s",
  confirmedAtMs: signedInAt(Date.now()),
  email: "ada@example.com",
  role: "owner",
  operatorRole: null,
  clientAddress: null,
}
const READS: Right[] = ["account.read", "members.read", "keys.read", "usage.read"]

test.each<[string, Actor, Right[]]>([
  ["an owner", OWNER, ALL_RIGHTS.filter((right) => !right.startsWith("service."))],
  [
    "a developer",
    { ...OWNER, role: "developer" },
    [...READS, "keys.manage", "decisions.run", "webhooks.read", "webhooks.manage", "outcomes.manage", "audit.read"],
  ],
  ["a billing member", { ...OWNER, role: "billing" }, [...READS, "billing.read", "billing.pay"]],
  ["a viewer", { ...OWNER, role: "viewer" }, [...READS, "billing.read", "audit.read"]],
  ["a visitor", { ...VISITOR, accountId: "a", userId: "u" }, []],
  ["a key", { type: "key", accountId: "a", keyId: "k", clientAddress: null }, []],
  [
    "an account token",
    { type: "token", accountId: "a", tokenId: "t", userId: "u", rights: ["keys.manage"], clientAddress: null },
    ["keys.manage"],
  ],
  ["the operator at the command line", OPERATOR, ALL_RIGHTS],
  [
    "an operator who looks at an account",
    { ...OPERATOR, isLooking: true },
    [...READS, "invitations.read", "tokens.read", "webhooks.read", "billing.read", "audit.read", "service.read"],
  ],
  [
    "a support operator",
    { ...OPERATOR, role: "support" },
    [...READS, "invitations.read", "tokens.read", "webhooks.read", "billing.read", "audit.read", "service.read"],
  ],
  [
    "a finance operator",
    { ...OPERATOR, role: "finance" },
    [
      ...READS,
      "invitations.read",
      "tokens.read",
      "webhooks.read",
      "billing.read",
      "audit.read",
      "service.read",
      "service.finance",
    ],
  ],
  ["the service", SYSTEM, ALL_RIGHTS],
])("%s has exactly its rights", (_name, actor, rights) => {
  expect(ALL_RIGHTS.filter((right) => hasRight(actor, right)).toSorted()).toEqual(rights.toSorted())
})

test.each<[UserActor["role"], Right, string]>([
  ["developer", "billing.pay", "Only an owner or a billing member of this account can add credit."],
  ["viewer", "keys.manage", "Only an owner or a developer of this account can manage keys."],
  ["billing", "members.manage", "Only an owner of this account can invite, change and remove members."],
  ["owner", "service.operate", "Only an admin of this service can change it."],
])("the refusal of a %s without %s says who can do it", (role, right, message) => {
  expect(() => requireRight({ ...OWNER, role }, right)).toThrow(expect.objectContaining({ code: "forbidden", message }))
})

test.each<[string, Actor, boolean]>([
  ["a user who signed in now", OWNER, true],
  ["a user who signed in 25 hours ago", { ...OWNER, confirmedAtMs: signedInAt(Date.now() - 90_000_000) }, false],
  ["a visitor", { ...VISITOR, accountId: "a", userId: "u" }, false],
  ["the operator", OPERATOR, true],
  ["the service", SYSTEM, true],
])("whether %s is confirmed", (_name, actor, confirmed) => {
  expect(ALL_SCOPES.map((scope) => isConfirmed(actor, scope))).toEqual(ALL_SCOPES.map(() => confirmed))
})

test("one confirmed scope opens no other, and the refusal names the verb", () => {
  const actor = { ...OWNER, confirmedAtMs: { ...signedInAt(0), access: Date.now() } }
  expect(ALL_SCOPES.filter((scope) => isConfirmed(actor, scope))).toEqual(["access"])
  expect(() => requireConfirmed(actor, "createAccountToken")).not.toThrow()
  expect(() => requireConfirmed(actor, "createKey")).toThrow(
    expect.objectContaining({ code: "confirmation_required", param: "createKey" }),
  )
})
