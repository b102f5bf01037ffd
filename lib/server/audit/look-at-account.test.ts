import { expect, test } from "vitest"
import { changeKey } from "@/lib/server/keys/change-key"
import { listKeys } from "@/lib/server/keys/read-keys"
import { OPERATOR, type OperatorActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertKey } from "@/test/insert-rows"
import { signUp } from "@/test/sign-up"
import { describeAudit, listAudit } from "./list-audit"
import { listServiceAudit } from "./list-service-audit"
import { lookAtAccount } from "./look-at-account"

await testRuntime({ OPERATOR_EMAILS: "operator@example.com" })
const { userId } = await signUp("operator@example.com")
const operator: OperatorActor = { ...OPERATOR, userId, clientAddress: "192.0.2.1" }

const look = (id: string, page: string, by = operator) => lookAtAccount(runtime(), by, { id, page })
const looksOf = async (owner: Parameters<typeof listAudit>[1]) =>
  (await listAudit(runtime(), owner)).lines.filter(({ action }) => action === "account.look")

test("an owner sees each page that an operator looked at, but not which operator", async () => {
  const owner = await signUp()
  const id = publicId("acc", owner.accountId)
  for (const page of ["/", "/usage", "/settings/audit"]) await look(id, page)
  const lines = await looksOf(owner)
  expect(lines.map((line) => [describeAudit(line), line.by, line.clientAddress])).toEqual([
    ["Viewed the page “Audit log”", "Operator", null],
    ["Viewed the page “Usage”", "Operator", null],
    ["Viewed the account", "Operator", null],
  ])
})

test("operators see who looked, from where", async () => {
  const owner = await signUp()
  await look(publicId("acc", owner.accountId), "/keys")
  const { lines } = await listServiceAudit(runtime(), OPERATOR, { accountId: owner.accountId, show: "operator" })
  expect(lines.map(({ by, detail, clientAddress }) => [by, detail, clientAddress])).toEqual([
    ["operator@example.com", "/keys", "192.0.2.1"],
  ])
})

test("concurrent and repeated looks of an operator at one page within an hour are one entry", async () => {
  const owner = await signUp()
  const id = publicId("acc", owner.accountId)
  await Promise.all(Array.from({ length: 8 }, () => look(id, "/usage")))
  await look(id, "/usage")
  expect(await looksOf(owner)).toHaveLength(1)
  await look(id, "/usage", { ...OPERATOR, userId: newId() })
  await look(id, "/requests")
  expect(await looksOf(owner)).toHaveLength(3)
})

test("a setting hides looks from the account and keeps the entries", async () => {
  const owner = await signUp()
  await look(publicId("acc", owner.accountId), "/usage")
  const { env } = runtime()
  Object.assign(runtime(), { env: { ...env, OPERATOR_LOOKS: "hidden" } })
  try {
    expect(await looksOf(owner)).toEqual([])
    const { lines } = await listServiceAudit(runtime(), OPERATOR, { accountId: owner.accountId, show: "operator" })
    expect(lines).toHaveLength(1)
  } finally {
    Object.assign(runtime(), { env })
  }
})

test("an operator who looks reads the account and changes nothing, and leaves no entry for an unknown account", async () => {
  const owner = await signUp()
  const { keyId } = await insertKey(owner.accountId)
  const actor = await look(publicId("acc", owner.accountId), "/keys")
  const id = publicId("key", keyId)
  expect((await listKeys(runtime(), actor)).map((key) => key.id)).toContain(id)
  await expect(changeKey(runtime(), actor, { id, name: "Taken" } as Parameters<typeof changeKey>[2])).rejects.toThrow(
    "Only an owner or a developer of this account can manage keys.",
  )
  await expect(look(publicId("acc", newId()), "/usage")).rejects.toThrow("There is no such account.")
})
