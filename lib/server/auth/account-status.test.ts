import { beforeAll, describe, expect, it } from "vitest"
import { listAudit } from "@/lib/server/audit/list-audit"
import { createKey } from "@/lib/server/keys/create-key"
import { findKeyOfAccount } from "@/lib/server/keys/verify-key"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { insertAccount, insertKey, insertModel, insertSession } from "@/test/insert-rows"
import { type TestService, testService } from "@/test/service"
import { stopClock } from "@/test/stop-clock"
import { meanwhile } from "@/test/waits-for-lock"
import { setAccountStatus } from "./account-status"
import { actorOfCookies } from "./actor-of-cookies"

const BODY = { model: ALIAS, state: "Where is it?", questions: { q: { type: "noul", instructions: "Late?" } } }

let service: TestService
beforeAll(async () => {
  service = await testService({}, { serve: "all" })
  await insertModel("m")
})

async function newAccount() {
  const { accountId, playgroundKeyId } = await insertAccount()
  const { token, keyId } = await insertKey(accountId)
  const cookie = await insertSession(accountId)
  return { accountId, playgroundKeyId, keyId, token, cookie, operator: operatorFor(accountId) }
}

const decideInPlayground = (cookie: string) =>
  fetch(`${service.url}/playground/decisions`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie, origin: service.runtime.env.CONSOLE_URL },
    body: JSON.stringify(BODY),
  })

const hold = (accountId: string, keyId: string, id = newId()) =>
  placeHold(runtime(), { id, actor: { accountId, keyId }, modelId: "m", pricePico: pico(1), maxTokens: 10 })

const statusOf = async (accountId: string) =>
  (await service.runtime.pool.query("SELECT status FROM account WHERE id = $1", [accountId])).rows[0].status

describe("a suspended account", () => {
  it("has its keys and sessions refused within 2 s, also by a process that was not notified", async () => {
    const { token, cookie, operator } = await newAccount()
    expect((await service.decide(token, BODY)).status).toBe(200)
    expect((await decideInPlayground(cookie)).status).toBe(200)
    // A command is a process of its own, so this process gets no notice of the change.
    const command = await createRuntime(service.runtime.env, service.runtime.pool, { role: "command" })
    installRuntime(command.runtime)
    await setAccountStatus(runtime(), operator, "suspended")
    await command.close()
    installRuntime(service.runtime)
    const pass = stopClock()
    pass(2_000)
    const refused = await service.decide(token, BODY)
    expect([refused.status, (await refused.json()).error.code]).toEqual([401, "invalid_api_key"])
    expect((await decideInPlayground(cookie)).status).toBe(401)
    await setAccountStatus(runtime(), operator, "active")
    pass(2_000)
    expect((await service.decide(token, BODY)).status).toBe(200)
    expect(await actorOfCookies(runtime(), cookie, null)).toBeNull()
  })

  it("has no key that the playground could charge, and none can be created", async () => {
    const { accountId, cookie, operator } = await newAccount()
    const actor = (await actorOfCookies(runtime(), cookie, null)) as UserActor
    await setAccountStatus(runtime(), operator, "suspended")
    await expect(findKeyOfAccount(runtime(), accountId, null)).rejects.toMatchObject({ code: "not_found" })
    const input = { name: "Late", limit: null, expiresAt: null }
    await expect(createKey(runtime(), actor, input)).rejects.toMatchObject({
      code: "forbidden",
      message: "This account is suspended.",
    })
  })

  it("refuses a session that is opened later", async () => {
    const { accountId, operator } = await newAccount()
    await setAccountStatus(runtime(), operator, "suspended")
    expect(await actorOfCookies(runtime(), await insertSession(accountId), null)).toBeNull()
  })

  it("cannot place another hold, even before a process forgets its keys", async () => {
    const { accountId, keyId, playgroundKeyId, operator } = await newAccount()
    await setAccountStatus(runtime(), operator, "suspended")
    expect(await hold(accountId, keyId)).toEqual({ outcome: "revoked" })
    expect(await hold(accountId, playgroundKeyId)).toEqual({ outcome: "revoked" })
    await setAccountStatus(runtime(), operator, "active")
    expect(await hold(accountId, keyId)).toEqual({ outcome: "held" })
  })

  it("refuses a hold that waited for the suspension's lock", async () => {
    const { accountId, keyId } = await newAccount()
    const waiting = meanwhile(
      () => hold(accountId, keyId),
      (client) => client.query("UPDATE account SET status = 'suspended' WHERE id = $1", [accountId]),
    )
    expect(await waiting).toEqual({ outcome: "revoked" })
  })

  it("is charged for a request whose hold was placed before", async () => {
    const { accountId, keyId, operator } = await newAccount()
    const id = newId()
    expect(await hold(accountId, keyId, id)).toEqual({ outcome: "held" })
    await setAccountStatus(runtime(), operator, "suspended")
    expect(await capture(runtime(), { id, accountId }, { tokens: 5, latencyMs: 1, questionCounts: { noul: 1 } })).toBe(
      "captured",
    )
  })
})

describe("a change of an account's status", () => {
  it("is audited once, and repeating it changes nothing", async () => {
    const { cookie, operator } = await newAccount()
    const actor = (await actorOfCookies(runtime(), cookie, null)) as UserActor
    for (const status of ["active", "suspended", "suspended", "active", "closed", "closed"] as const)
      await setAccountStatus(runtime(), operator, status)
    const { lines } = await listAudit(runtime(), actor)
    expect(lines.map(({ action, by }) => [action, by])).toEqual([
      ["account.close", "Operator"],
      ["account.resume", "Operator"],
      ["account.suspend", "Operator"],
      ["session.end", "Operator"],
    ])
  })

  it("is refused after closing, and closing is refused while a top-up is open", async () => {
    const { accountId, cookie, operator } = await newAccount()
    const { userId } = (await actorOfCookies(runtime(), cookie, null)) as UserActor
    await service.runtime.pool.query(
      "INSERT INTO topup (id, account_id, user_id, amount_cents, status) VALUES ($1, $2, $3, 500, 'processing')",
      [newId(), accountId, userId],
    )
    await expect(setAccountStatus(runtime(), operator, "closed")).rejects.toMatchObject({ code: "invalid_request" })
    // The poller looks at an automatic top-up of any age.
    await service.runtime.pool.query(
      "UPDATE topup SET is_automatic = true, created_at = now() - interval '31 days' WHERE account_id = $1",
      [accountId],
    )
    await expect(setAccountStatus(runtime(), operator, "closed")).rejects.toMatchObject({ code: "invalid_request" })
    expect(await statusOf(accountId)).toBe("active")
    await service.runtime.pool.query("UPDATE topup SET status = 'failed' WHERE account_id = $1", [accountId])
    await setAccountStatus(runtime(), operator, "closed")
    for (const status of ["active", "suspended"] as const)
      await expect(setAccountStatus(runtime(), operator, status)).rejects.toMatchObject({
        message: "This account is closed for good.",
      })
    const { rows } = await service.runtime.pool.query("SELECT balance_pico FROM account WHERE id = $1", [accountId])
    expect(rows).toEqual([{ balance_pico: "1000000000000" }])
  })
})
