import { describe, expect, test } from "vitest"
import { createAccountToken, listAccountTokens, revokeAccountToken } from "@/lib/server/accounts/account-tokens"
import { listAudit } from "@/lib/server/audit/list-audit"
import { listServiceAudit } from "@/lib/server/audit/list-service-audit"
import { listCreations } from "@/lib/server/members/creations"
import { OPERATOR } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { TOKEN_SCOPE_NAMES, type TokenScope } from "@/lib/shared/accounts/token-scopes"
import { accountSender, codeOf } from "@/test/admin-api"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { ACCOUNT_API } from "./account-api"

const runtime = await testRuntime()

/** Signs up, and creates a token with these scopes. */
async function owner(email: string, rights: TokenScope[] = TOKEN_SCOPE_NAMES) {
  const actor = await signUp(email)
  const { id, token } = await createAccountToken(runtime, actor, { name: "Deploy", expiresAt: null, rights })
  return { actor, id, token, send: accountSender(token) }
}

const demote = (accountId: string, role: string) =>
  runtime.pool.query("UPDATE member SET role = $2 WHERE account_id = $1", [accountId, role])

describe("the keys of an account", () => {
  test("are created once, listed, restricted, replaced and revoked by a program", async () => {
    const { send } = await owner("keys@example.com")
    const body = { name: "CI", limit_usd: "5", limit_period: "daily" }
    const headers = { "idempotency-key": "first" }
    const made = await send("POST", "/keys", { body, headers })
    expect(made.body).toMatchObject({ id: expect.stringMatching(/^key_/), key: expect.stringMatching(/^svcd_/) })
    const again = await send("POST", "/keys", { body, headers })
    expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([{ ...made.body, key: null }, "true"])
    const path = `/keys/${made.body.id}`
    const limits = { models: [], routes: ["/v1/decisions"], networks: ["192.0.2.0/24"] }
    expect((await send("PUT", `${path}/restrictions`, { body: limits })).status).toBe(200)
    expect((await send("POST", `${path}/replace`, { body: { overlap_hours: 0 } })).body.key).not.toBe(made.body.key)
    const find = async () =>
      (await send("GET", "/keys")).body.data.find((key: { id: string }) => key.id === made.body.id)
    expect(await find()).toMatchObject({ name: "CI", limit_usd: "5.000000000000", status: "active", ...limits })
    expect((await send("DELETE", path)).body).toEqual({ id: made.body.id })
    expect((await find()).status).toBe("revoked")
  })

  test("of another account are not found", async () => {
    const [mine, theirs] = [await owner("mine@example.com"), await owner("theirs@example.com")]
    const { id } = (await theirs.send("POST", "/keys", { body: { name: "CI" } })).body
    expect(codeOf(await mine.send("DELETE", `/keys/${id}`))).toEqual([404, "not_found"])
    expect(codeOf(await mine.send("POST", `/keys/${id}/replace`, { body: {} }))).toEqual([404, "not_found"])
    expect((await mine.send("GET", "/keys")).body.data.map((key: { kind: string }) => key.kind)).toEqual(["playground"])
  })

  test("are at most 100 new ones an hour", async () => {
    const { actor, send } = await owner("many@example.com")
    await runtime.pool.query(
      `INSERT INTO api_key (id, account_id, kind, name, masked, secret_sha256)
       SELECT gen_random_uuid(), $1, 'secret', 'n', 'm', decode(md5(i::text) || md5('k' || i), 'hex') FROM generate_series(1, 100) AS i`,
      [actor.accountId],
    )
    expect(codeOf(await send("POST", "/keys", { body: { name: "CI" } }))).toEqual([429, "rate_limited"])
  })
})

describe("a token", () => {
  test.each(ACCOUNT_API.operations.map(({ id, method, path, right }) => ({ id, method, path, right })))(
    "does $id only with the scope $right",
    async ({ id, method, path, right }) => {
      const others = TOKEN_SCOPE_NAMES.filter((scope) => scope !== right)
      const { send } = await owner(`without-${id.toLowerCase()}@example.com`, others)
      const refused = await send(method, path.replaceAll(/\{\w+\}/g, "key_00000000000000000000000000"))
      expect(codeOf(refused)).toEqual([403, "forbidden"])
      expect(refused.body.error.message).toBe(`This token does not have the scope ${right}.`)
    },
  )

  test("without chosen scopes reads what it read before, and changes nothing", async () => {
    const actor = await signUp("before@example.com")
    const { token } = await createAccountToken(runtime, actor, { name: "Watch", expiresAt: null })
    expect((await listAccountTokens(runtime, actor))[0]?.rights).toEqual(["account.read", "keys.read", "usage.read"])
    const send = accountSender(token)
    expect((await send("GET", "/keys")).status).toBe(200)
    expect(codeOf(await send("POST", "/keys", { body: { name: "CI" } }))).toEqual([403, "forbidden"])
  })

  test("that a process of the version before stored has the three reading scopes", async () => {
    const { actor, id } = await owner("rolling@example.com", ["keys.manage"])
    await runtime.pool.query("UPDATE account_token SET rights = DEFAULT WHERE account_id = $1", [actor.accountId])
    expect(await listAccountTokens(runtime, actor)).toMatchObject([
      { id, rights: ["account.read", "keys.read", "usage.read"] },
    ])
  })

  test("changes nothing once its creator's role ended, and reads on", async () => {
    const { actor, send } = await owner("demoted@example.com")
    await demote(actor.accountId, "viewer")
    expect(codeOf(await send("POST", "/keys", { body: { name: "CI" } }))).toEqual([403, "forbidden"])
    expect((await send("GET", "/keys")).status).toBe(200)
    await runtime.pool.query("DELETE FROM member WHERE account_id = $1", [actor.accountId])
    expect(codeOf(await send("POST", "/keys", { body: { name: "CI" } }))).toEqual([403, "forbidden"])
    expect((await send("GET", "/keys")).status).toBe(200)
  })

  test("that only changes is refused once its creator's role ended", async () => {
    const { actor, send } = await owner("only@example.com", ["keys.manage"])
    await demote(actor.accountId, "billing")
    expect(codeOf(await send("POST", "/keys", { body: { name: "CI" } }))).toEqual([401, "invalid_api_key"])
    expect((await listAccountTokens(runtime, actor))[0]?.rights).toEqual([])
  })

  test("never has a right that its creator has not", async () => {
    const { actor } = await owner("rights@example.com")
    const made = createAccountToken(
      runtime,
      {
        type: "token",
        accountId: actor.accountId,
        tokenId: actor.userId,
        userId: actor.userId,
        rights: ["tokens.manage"],
        clientAddress: null,
      },
      { name: "More", expiresAt: null, rights: ["keys.manage"] },
    )
    await expect(made).rejects.toMatchObject({ code: "forbidden" })
  })

  test("that is revoked or of a closed account is refused", async () => {
    const { actor, id, send } = await owner("ended@example.com")
    await revokeAccountToken(runtime, actor, { id })
    expect(codeOf(await send("GET", "/keys"))).toEqual([401, "invalid_api_key"])
    const other = await owner("suspended@example.com")
    await runtime.pool.query("UPDATE account SET status = 'suspended' WHERE id = $1", [other.actor.accountId])
    expect(codeOf(await other.send("GET", "/keys"))).toEqual([401, "invalid_api_key"])
  })

  test("of an operator, and a key, are refused", async () => {
    const { send } = await owner("foreign@example.com")
    const { body } = await send("POST", "/keys", { body: { name: "CI" } })
    for (const bearer of [body.key, "svca_0000", ""])
      expect(codeOf(await send("GET", "/keys", { bearer }))).toEqual([401, "invalid_api_key"])
  })
})

test("the audit log names the token and its address, and the key names the token's creator", async () => {
  const { actor, id, send } = await owner("audit@example.com")
  const headers = { "x-svc-client": "192.0.2.9" }
  const { body } = await send("POST", "/keys", { body: { name: "CI" }, headers })
  const [line] = (await listAudit(runtime, actor)).lines
  expect(line).toMatchObject({
    action: "key.create",
    subject: body.id,
    by: "The account token “Deploy”",
    clientAddress: "192.0.2.9",
  })
  const { lines } = await listServiceAudit(runtime, OPERATOR, { accountId: actor.accountId, limit: 1 })
  expect(lines[0]?.by).toBe("The token “Deploy”")
  expect(await listCreations(runtime, actor)).toMatchObject([
    { kind: "key", id: body.id, createdBy: { id: publicId("usr", actor.userId) } },
    { kind: "token", id },
  ])
  await revokeAccountToken(runtime, actor, { id })
  expect((await listAudit(runtime, actor)).lines[1]?.by).toBe("An account token that was revoked")
})
