import { unzipSync } from "fflate"
import { beforeAll, expect, it } from "vitest"
import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { describeAudit, listAudit } from "@/lib/server/audit/list-audit"
import { createKey } from "@/lib/server/keys/create-key"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import { rollUpNewUsage } from "@/lib/server/usage/roll-up-usage"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { signUp } from "@/test/sign-up"
import { streamExport } from "./export-account"

let app: Runtime
beforeAll(async () => {
  app = await testRuntime({ WELCOME_CREDIT_USD: "0" })
  await insertModel("m")
})

async function read(stream: ReadableStream<Uint8Array>): Promise<Record<string, string>> {
  const files = unzipSync(new Uint8Array(await new Response(stream).arrayBuffer()))
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
}

it("has the account, its ledger, payments, usage and audit log, no secret, and nothing of another account", async () => {
  const [owner, other] = [await signUp("ada@export.example"), await signUp("eve@other.example")]
  const month = new Date().toISOString().slice(0, 7)
  for (const { accountId } of [owner, other])
    await postEntry(app.pool, { accountId, kind: "credit", amountPico: pico(5_000_000_000_000n), source: newId() })
  const { id: keyId, token } = await createKey(owner, { name: "=CI", limit: null, expiresAt: null })
  await createKey(other, { name: "Of Eve", limit: null, expiresAt: null })
  const { token: accountToken } = await createAccountToken(owner, { name: "Dashboard" })
  await app.pool.query(
    "INSERT INTO topup (id, account_id, user_id, amount_cents, paid_cents, status) VALUES ($1, $2, $3, 500, 600, 'paid')",
    [newId(), owner.accountId, owner.userId],
  )
  const actor = { accountId: owner.accountId, keyId: parsePublicId("key", keyId) ?? "" }
  const id = newId()
  await placeHold({ id, actor, modelId: "m", pricePico: pico(3), maxTokens: 10 })
  await capture({ id, accountId: owner.accountId }, { tokens: 5, latencyMs: 1, questionCounts: { noul: 1 } })
  await rollUpNewUsage()

  const files = await read(await streamExport(owner))
  expect(Object.keys(files)).toEqual([
    "README.txt",
    "account.json",
    "payments.csv",
    `ledger/${month}.csv`,
    "usage-by-day.csv",
    "audit.csv",
  ])
  const account = JSON.parse(files["account.json"] ?? "")
  expect(account).toMatchObject({
    id: publicId("acc", owner.accountId),
    name: "ada@export.example",
    balanceUsd: "4.999999999985",
    members: [{ email: "ada@export.example", role: "owner" }],
    keys: [{ id: keyId, name: "=CI" }, { name: "Playground" }],
    tokens: [{ name: "Dashboard" }],
  })
  expect(files[`ledger/${month}.csv`]).toContain(`,-0.000000000015,4.999999999985,"'=CI`)
  expect(files["payments.csv"]).toContain(",paid,5.000000000000,6.000000000000,0.000000000000,0.000000000000,\r\n")
  expect(files["usage-by-day.csv"]?.split("\r\n")[1]).toBe(
    `${new Date().toISOString().slice(0, 10)},${keyId},"m",1,5,0.000000000015`,
  )
  expect(files["audit.csv"]).toContain(`"Created the key “=CI”","ada@export.example"`)
  const all = JSON.stringify(files)
  for (const secret of [token, accountToken, "eve@other", "Of Eve", publicId("acc", other.accountId)])
    expect(all).not.toContain(secret)
  expect(describeAudit((await listAudit(owner)).lines[0] as never)).toBe("Exported the account's data")
})

it("is only for owners, and two downloads of an account at a time", async () => {
  const owner = await signUp()
  await expect(streamExport({ ...owner, role: "billing" })).rejects.toMatchObject({
    code: "forbidden",
    message: "Only an owner of this account can export its data.",
  })
  const open = [await streamExport(owner), await streamExport(owner)]
  await expect(streamExport(owner)).rejects.toMatchObject({ code: "rate_limited" })
  for (const stream of open) await stream.cancel()
  expect(runtime().downloads.size).toBe(0)
  await (await streamExport(owner)).cancel()
})
