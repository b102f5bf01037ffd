import { describe, expect, it } from "vitest"
import { sendQueuedMail } from "@/lib/server/mail/send-queued"
import { operatorFor } from "@/lib/server/platform/actor"
import { testRuntime } from "@/test/database"
import { keepMails } from "@/test/keep-mails"
import { signUp } from "@/test/sign-up"
import { createAccountToken, listAccountTokens, revokeAccountToken } from "./account-tokens"
import { verifyAccountToken } from "./verify-account-token"

const runtime = await testRuntime()

const REFUSED = {
  status: 401,
  code: "invalid_api_key",
  message: "The account token is missing, invalid, expired or revoked.",
}
const verify = (token: string) => verifyAccountToken(runtime, `Bearer ${token}`, "")

describe("an account token", () => {
  it("is shown once, and reads the account that created it", async () => {
    const actor = await signUp("create@example.com")
    const { id, name, token } = await createAccountToken(runtime, actor, { name: "Dashboard", expiresAt: null })
    expect([name, token]).toEqual(["Dashboard", expect.stringMatching(/^svct_[0-9A-Za-z]{42}$/)])
    expect(await verify(token)).toMatchObject({ type: "token", accountId: actor.accountId })
    const listed = await listAccountTokens(runtime, actor)
    expect(listed).toMatchObject([{ id, name: "Dashboard", masked: expect.stringMatching(/^svct_.{4}….{4}$/) }])
    const { rows } = await runtime.pool.query("SELECT to_jsonb(t)::text AS row FROM account_token t")
    expect(rows[0].row + JSON.stringify(listed)).not.toContain(token.slice(9, -4))
  })

  it.each([20, 21])("is not added to the %s that an account has", async (count) => {
    const actor = await signUp(`limit-${count}@example.com`)
    await runtime.pool.query(
      `INSERT INTO account_token (id, account_id, name, masked, secret_sha256)
       SELECT gen_random_uuid(), $1::uuid, 'Dashboard', 'svct_a…b', decode(md5($1::uuid::text || i), 'hex') || decode(md5(i::text), 'hex')
       FROM generate_series(1, $2) AS i`,
      [actor.accountId, count],
    )
    await expect(createAccountToken(runtime, actor, { name: "Dashboard", expiresAt: null })).rejects.toMatchObject({
      code: "rate_limited",
      message: "An account can have 20 tokens. Revoke one that is not used.",
    })
    expect(await listAccountTokens(runtime, actor)).toHaveLength(count)
  })

  it("shows when it was last used", async () => {
    const actor = await signUp("used@example.com")
    const { token } = await createAccountToken(runtime, actor, { name: "Dashboard", expiresAt: null })
    expect((await listAccountTokens(runtime, actor))[0]?.lastUsedAt).toBeNull()
    await verify(token)
    const [{ lastUsedAt } = {}] = await listAccountTokens(runtime, actor)
    expect(Math.abs(Date.parse(lastUsedAt ?? "") - Date.now())).toBeLessThan(60_000)
  })

  it("names its creator, and is mailed to the owners", async () => {
    const actor = await signUp("creator@example.com")
    await createAccountToken(runtime, actor, { name: "Dashboard", expiresAt: null })
    expect(await listAccountTokens(runtime, actor)).toMatchObject([{ createdBy: "creator@example.com" }])
    const { id: revoked } = await createAccountToken(runtime, actor, { name: "Briefly", expiresAt: null })
    await revokeAccountToken(runtime, actor, { id: revoked })
    const { sent } = keepMails()
    await sendQueuedMail(runtime)
    expect(sent.flatMap(({ to, subject }) => (to === actor.email ? [subject] : [])).toSorted()).toEqual([
      "An account token was created · localhost:3000",
      "The account token “Dashboard” was created · localhost:3000",
    ])
  })

  it("of the operator's commands names no creator", async () => {
    const { accountId } = await signUp("operated@example.com")
    await createAccountToken(runtime, operatorFor(accountId), { name: "Watch", expiresAt: null })
    expect(await listAccountTokens(runtime, operatorFor(accountId))).toMatchObject([{ createdBy: null }])
  })

  it("is refused from its expiry on, and stays listed as expired", async () => {
    const actor = await signUp("expired@example.com")
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    const { token } = await createAccountToken(runtime, actor, { name: "Dashboard", expiresAt })
    expect(await verify(token)).toMatchObject({ accountId: actor.accountId })
    expect(await listAccountTokens(runtime, actor)).toMatchObject([{ expiresAt, isExpired: false }])
    await runtime.pool.query("UPDATE account_token SET expires_at = now() WHERE account_id = $1", [actor.accountId])
    await expect(verify(token)).rejects.toMatchObject(REFUSED)
    expect(await listAccountTokens(runtime, actor)).toMatchObject([{ isExpired: true }])
  })

  it("is refused from its revocation on, which the audit log records without its name", async () => {
    const actor = await signUp("revoke@example.com")
    const { id, token } = await createAccountToken(runtime, actor, { name: "Dashboard", expiresAt: null })
    await revokeAccountToken(runtime, actor, { id })
    await expect(verify(token)).rejects.toMatchObject(REFUSED)
    expect(await listAccountTokens(runtime, actor)).toEqual([])
    const { rows } = await runtime.pool.query(
      "SELECT actor, action, detail FROM audit_event WHERE subject = $1 ORDER BY id",
      [id],
    )
    const by = `user:${actor.userId}`
    expect(rows).toEqual([
      { actor: by, action: "token.create", detail: "account.read, keys.read, usage.read" },
      { actor: by, action: "token.revoke", detail: null },
    ])
  })

  it("of another account cannot be revoked or listed", async () => {
    const [owner, other] = [await signUp("mine@example.com"), await signUp("theirs@example.com")]
    const { id, token } = await createAccountToken(runtime, owner, { name: "Dashboard", expiresAt: null })
    const refusal = { code: "not_found", message: "There is no such token." }
    await expect(revokeAccountToken(runtime, other, { id })).rejects.toMatchObject(refusal)
    await expect(revokeAccountToken(runtime, owner, { id: "no id at all" })).rejects.toMatchObject(refusal)
    expect(await listAccountTokens(runtime, other)).toEqual([])
    expect(await verify(token)).toMatchObject({ accountId: owner.accountId })
  })

  it("is one of at most 20, also when 30 are created at once", async () => {
    const actor = await signUp("many@example.com")
    const settled = await Promise.allSettled(
      Array.from({ length: 30 }, () => createAccountToken(runtime, actor, { name: "Dashboard", expiresAt: null })),
    )
    const refused = settled.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []))
    expect(refused).toEqual(Array(10).fill("rate_limited"))
    expect(await listAccountTokens(runtime, actor)).toHaveLength(20)
  })

  it("of a suspended account is refused", async () => {
    const actor = await signUp("suspended@example.com")
    const { token } = await createAccountToken(runtime, actor, { name: "Dashboard", expiresAt: null })
    await runtime.pool.query("UPDATE account SET status = 'suspended' WHERE id = $1", [actor.accountId])
    await expect(verify(token)).rejects.toMatchObject(REFUSED)
  })
})
