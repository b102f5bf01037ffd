import { describe, expect, test } from "vitest"
import type { UserActor } from "@/lib/server/platform/actor"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import { mapKeyTexts } from "@/lib/shared/keys/key-texts"
import { NO_RESTRICTIONS } from "@/lib/shared/keys/restrictions"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { testRuntime } from "@/test/database"
import { signUp as signUpAt } from "@/test/sign-up"
import { createKey } from "./create-key"
import { listKeys } from "./read-keys"
import { revokeKey, revokeKeys } from "./revoke-key"
import { hashSecret } from "./secret"
import { verifyKey } from "./verify-key"

const NO_LIMIT = { name: "Production", limit: null, expiresAt: null }

const signUp = (email: string) => signUpAt(email, "127.0.0.1")

async function find(actor: UserActor, id: string): Promise<KeySummary> {
  const key = (await listKeys(runtime, actor)).find((candidate) => candidate.id === id)
  if (!key) throw new Error("the key is not in the list")
  return key
}

async function set(id: string, assignments: string): Promise<void> {
  await runtime.pool.query(`UPDATE api_key SET ${assignments} WHERE id = $1`, [parsePublicId("key", id)])
}

async function insertKeys(actor: UserActor, count: number, ago: string): Promise<void> {
  await runtime.pool.query(
    `INSERT INTO api_key (id, account_id, name, masked, secret_sha256, created_at)
     SELECT id, $1, 'Many', 'svcd_…', sha256(id::text::bytea), now() - $3::interval
     FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2)) AS ids`,
    [actor.accountId, count, ago],
  )
}

async function auditOf(id: string) {
  const { rows } = await runtime.pool.query(
    "SELECT account_id, actor, action, client_address FROM audit_event WHERE subject = $1 ORDER BY id",
    [id],
  )
  return rows
}

const runtime = await testRuntime()

describe("createKey", () => {
  test("an account creates at most 100 keys an hour, and another account's keys are not counted", async () => {
    const [actor, other] = [await signUp("flood@example.com"), await signUp("calm@example.com")]
    await insertKeys(actor, 99, "59 minutes")
    await insertKeys(actor, 100, "61 minutes")
    await createKey(runtime, actor, NO_LIMIT)
    await expect(createKey(runtime, actor, NO_LIMIT)).rejects.toMatchObject({
      code: "rate_limited",
      message: expect.stringContaining("100 keys an hour"),
    })
    expect(await createKey(runtime, other, NO_LIMIT)).toMatchObject({ name: "Production" })
  })

  test("of 60 concurrent creations of an account with 80 keys exactly 20 succeed, each with its audit row", async () => {
    const actor = await signUp("burst@example.com")
    await insertKeys(actor, 80, "59 minutes")
    const settled = await Promise.allSettled(Array.from({ length: 60 }, () => createKey(runtime, actor, NO_LIMIT)))
    const refused = settled.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []))
    expect(refused).toEqual(Array(40).fill("rate_limited"))
    expect((await listKeys(runtime, actor)).filter(({ kind }) => kind === "secret")).toHaveLength(100)
    const { rows } = await runtime.pool.query(
      "SELECT count(*)::int AS created FROM audit_event WHERE account_id = $1 AND action = 'key.create'",
      [actor.accountId],
    )
    expect(rows).toEqual([{ created: 20 }])
  })

  test("a new key works and is listed with its settings", async () => {
    const actor = await signUp("create@example.com")
    const created = await createKey(runtime, actor, {
      name: "Production",
      limit: { amountUsd: "0.50", period: "daily" },
      expiresAt: "2099-01-01T00:00:00.000Z",
      ...mapKeyTexts((name) => `The ${name}`),
    })
    expect(created.token).toMatch(/^svcd_[0-9A-Za-z]{42}$/)
    expect(await verifyKey(runtime, `Bearer ${created.token}`)).toMatchObject({ accountId: actor.accountId })
    const { createdAt, resetsAt, ...key } = await find(actor, created.id)
    expect(key).toEqual({
      id: created.id,
      name: "Production",
      ...mapKeyTexts((name) => `The ${name}`),
      kind: "secret",
      masked: created.masked,
      limitUsd: "0.500000000000",
      period: "daily",
      spentUsd: "0.000000000000",
      lastUsedAt: null,
      expiresAt: "2099-01-01T00:00:00.000Z",
      revokedAt: null,
      oldSecret: null,
      ...NO_RESTRICTIONS,
      tags: [],
      status: "active",
      createdBy: { id: publicId("usr", actor.userId), email: actor.email, isMember: true },
    })
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000)
    expect(resetsAt).toMatch(/T00:00:00\.000Z$/)
  })

  test("the secret is stored as its SHA-256 alone and no list shows it", async () => {
    const actor = await signUp("secret@example.com")
    const { id, token } = await createKey(runtime, actor, NO_LIMIT)
    const { rows } = await runtime.pool.query(
      "SELECT to_jsonb(k)::text AS text, secret_sha256 FROM api_key k WHERE id = $1",
      [parsePublicId("key", id)],
    )
    expect(rows[0].secret_sha256).toEqual(hashSecret("svcd_", token))
    const secret = token.slice("svcd_".length + 4, -4)
    expect(rows[0].text).not.toContain(secret)
    expect(JSON.stringify(await listKeys(runtime, actor))).not.toContain(secret)
    expect(JSON.stringify(await auditOf(id))).not.toContain(secret)
  })
})

describe("listKeys", () => {
  test("only the actor's own keys are listed, newest first, the Playground key last", async () => {
    const [actor, other] = [await signUp("mine@example.com"), await signUp("theirs@example.com")]
    await createKey(runtime, actor, { ...NO_LIMIT, name: "First" })
    await createKey(runtime, other, { ...NO_LIMIT, name: "Foreign" })
    await createKey(runtime, actor, { ...NO_LIMIT, name: "Second" })
    expect((await listKeys(runtime, actor)).map((key) => [key.name, key.kind])).toEqual([
      ["Second", "secret"],
      ["First", "secret"],
      ["Playground", "playground"],
    ])
  })

  test("what a daily key spent yesterday is not counted today", async () => {
    const actor = await signUp("daily@example.com")
    const { id } = await createKey(runtime, actor, { ...NO_LIMIT, limit: { amountUsd: "1", period: "daily" } })
    await set(id, "spent_pico = 400000000000, period_start = date_trunc('day', now(), 'UTC')")
    expect((await find(actor, id)).spentUsd).toBe("0.400000000000")
    await set(id, "period_start = date_trunc('day', now(), 'UTC') - interval '1 day'")
    expect((await find(actor, id)).spentUsd).toBe("0.000000000000")
  })

  test("a lifetime key that has spent its limit has the status limit_reached and never resets", async () => {
    const actor = await signUp("lifetime@example.com")
    const { id } = await createKey(runtime, actor, {
      ...NO_LIMIT,
      limit: { amountUsd: "0.000041", period: "lifetime" },
    })
    await set(id, "spent_pico = 41000000")
    expect(await find(actor, id)).toMatchObject({ status: "limit_reached", spentUsd: "0.000041000000", resetsAt: null })
  })

  test("a key past its expiry is expired", async () => {
    const actor = await signUp("expired@example.com")
    const { id } = await createKey(runtime, actor, NO_LIMIT)
    await set(id, "expires_at = now() - interval '1 s'")
    expect((await find(actor, id)).status).toBe("expired")
  })
})

describe("revokeKeys", () => {
  test("several keys are revoked at once, each with its audit entry", async () => {
    const actor = await signUp("several@example.com")
    const keys = [await createKey(runtime, actor, NO_LIMIT), await createKey(runtime, actor, NO_LIMIT)]
    for (const { token } of keys) await verifyKey(runtime, `Bearer ${token}`)
    await revokeKeys(runtime, actor, { ids: keys.map(({ id }) => id) })
    for (const { id, token } of keys) {
      await expect(verifyKey(runtime, `Bearer ${token}`)).rejects.toMatchObject({ code: "invalid_api_key" })
      expect((await auditOf(id)).map((line) => line.action)).toEqual(["key.create", "key.revoke"])
    }
  })

  test("no key is revoked if one of them belongs to another account", async () => {
    const [actor, other] = [await signUp("mine@example.com"), await signUp("theirs@example.com")]
    const [mine, theirs] = [await createKey(runtime, actor, NO_LIMIT), await createKey(runtime, other, NO_LIMIT)]
    await expect(revokeKeys(runtime, actor, { ids: [mine.id, theirs.id] })).rejects.toMatchObject({ code: "not_found" })
    expect((await find(actor, mine.id)).status).toBe("active")
    expect((await find(other, theirs.id)).status).toBe("active")
  })
})

describe("revokeKey", () => {
  test("a revoked key is refused at once, even when it was cached", async () => {
    const actor = await signUp("revoke@example.com")
    const { id, token } = await createKey(runtime, actor, NO_LIMIT)
    await verifyKey(runtime, `Bearer ${token}`)
    await revokeKey(runtime, actor, { id })
    await expect(verifyKey(runtime, `Bearer ${token}`)).rejects.toMatchObject({ code: "invalid_api_key" })
    expect((await find(actor, id)).status).toBe("revoked")
  })

  test("revoking a key twice changes nothing and is recorded once", async () => {
    const actor = await signUp("twice@example.com")
    const { id } = await createKey(runtime, actor, NO_LIMIT)
    await revokeKey(runtime, actor, { id })
    await revokeKey(runtime, actor, { id })
    expect((await auditOf(id)).map((line) => line.action)).toEqual(["key.create", "key.revoke"])
  })

  test("another account's key is not found, like an unknown one, and stays active", async () => {
    const [actor, other] = [await signUp("owner@example.com"), await signUp("other@example.com")]
    const { id, token } = await createKey(runtime, actor, NO_LIMIT)
    const refusal = { code: "not_found", status: 404, message: "There is no such key.", param: undefined }
    await expect(revokeKey(runtime, other, { id })).rejects.toMatchObject(refusal)
    await expect(revokeKey(runtime, other, { id: "key_00000000000000000000000000" })).rejects.toMatchObject(refusal)
    await expect(revokeKey(runtime, other, { id: "no id at all" })).rejects.toMatchObject(refusal)
    expect(await verifyKey(runtime, `Bearer ${token}`)).toMatchObject({ accountId: actor.accountId })
  })

  test("the Playground key cannot be revoked", async () => {
    const actor = await signUp("playground@example.com")
    const playground = (await listKeys(runtime, actor)).find((key) => key.kind === "playground")
    await expect(revokeKey(runtime, actor, { id: playground?.id ?? "" })).rejects.toMatchObject({ code: "forbidden" })
    expect(await find(actor, playground?.id ?? "")).toMatchObject({ status: "active", masked: null })
  })
})
