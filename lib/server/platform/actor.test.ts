import { expect, test } from "vitest"
import { type Actor, hasRight, OPERATOR, type Right, requireRight, SYSTEM, type UserActor } from "./actor"

const OWNER: UserActor = {
  type: "user",
  accountId: "a",
  userId: "u",
  sessionId: "s",
  confirmedAtMs: Date.now(),
  email: "ada@example.com",
  role: "owner",
  clientAddress: null,
}
const RIGHTS: Right[] = ["keys.manage", "billing.read", "billing.pay", "service.operate"]

test.each<[string, Actor, Right[]]>([
  ["an owner", OWNER, ["keys.manage", "billing.read", "billing.pay"]],
  ["a developer", { ...OWNER, role: "developer" }, ["keys.manage"]],
  ["a key", { type: "key", accountId: "a", keyId: "k", clientAddress: null }, []],
  ["the operator", OPERATOR, RIGHTS],
  ["the service", SYSTEM, RIGHTS],
])("%s has exactly its rights", (_name, actor, rights) => {
  expect(RIGHTS.filter((right) => hasRight(actor, right))).toEqual(rights)
})

test("a missing right is refused with the reason", () => {
  expect(() => requireRight({ ...OWNER, role: "developer" }, "billing.pay")).toThrow(
    expect.objectContaining({ code: "forbidden", message: "Only an owner of this account can add credit." }),
  )
})
