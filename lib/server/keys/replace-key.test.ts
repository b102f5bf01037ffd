import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import type { UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { installRuntime, type Runtime, runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { testService } from "@/test/service"
import { signUp } from "@/test/sign-up"
import { stopClock } from "@/test/stop-clock"
import { pauseKey, resumeKey } from "./change-key"
import { createKey } from "./create-key"
import { saveLastUsed } from "./key-cache"
import { listKeys } from "./read-keys"
import { endOldSecret, replaceKey } from "./replace-key"
import { revokeKey } from "./revoke-key"

const BODY = { model: LEXICAL_BASELINE, state: "s", questions: { q: { type: "noul", instructions: "Is it?" } } }
const HOUR_MS = 3_600_000

const service = await testService()
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

let people = 0
async function newKey() {
  const actor = await signUp(`replace-${people++}@example.com`)
  const limit = { amountUsd: "1", period: "lifetime" as const }
  return { actor, ...(await createKey(runtime(), actor, { name: "Production", limit, expiresAt: null })) }
}

const statusWith = async (token: string) => (await service.decide(token, BODY)).status
const statusesWith = (...tokens: string[]) => Promise.all(tokens.map(statusWith))

async function find(actor: UserActor, id: string): Promise<KeySummary | undefined> {
  return (await listKeys(runtime(), actor)).find((key) => key.id === id)
}

describe("a replaced key", () => {
  it("has another secret and the same id, name, limit and usage", async () => {
    const { actor, id, token, masked } = await newKey()
    expect(await statusWith(token)).toBe(200)
    const before = await find(actor, id)
    const replaced = await replaceKey(runtime(), actor, { id, overlapHours: 24 })
    expect(replaced).toMatchObject({ id, name: "Production" })
    expect(replaced.token).not.toBe(token)
    expect(await find(actor, id)).toEqual({
      ...before,
      masked: replaced.masked,
      oldSecret: { masked, until: expect.stringMatching(/Z$/), lastUsedAt: null, newUsedAt: null },
    })
    expect(await statusesWith(token, replaced.token)).toEqual([200, 200])
    const { rows } = await runtime().pool.query("SELECT count(*)::int AS charges FROM ledger_entry WHERE key_id = $1", [
      parsePublicId("key", id),
    ])
    expect(rows).toEqual([{ charges: 3 }])
  })

  it("refuses its old secret at once without an overlap", async () => {
    const { actor, id, token } = await newKey()
    expect(await statusWith(token)).toBe(200)
    const replaced = await replaceKey(runtime(), actor, { id, overlapHours: 0 })
    expect(await statusesWith(token, replaced.token)).toEqual([401, 200])
    expect((await find(actor, id))?.oldSecret).toBeNull()
  })

  it("refuses its old secret at the end of the overlap, even when it was cached", async () => {
    const { actor, id, token } = await newKey()
    vi.useFakeTimers({ toFake: ["Date"] })
    const replaced = await replaceKey(runtime(), actor, { id, overlapHours: 1 })
    stopClock()
    expect(await statusesWith(token, replaced.token)).toEqual([200, 200])
    vi.setSystemTime(Date.now() + HOUR_MS - 60_000)
    expect(await statusWith(token)).toBe(200)
    vi.setSystemTime(Date.now() + 61_000)
    expect(await statusesWith(token, replaced.token)).toEqual([401, 200])
  })

  it("that is replaced again has one old secret: the one before ends at once", async () => {
    const { actor, id, token } = await newKey()
    const second = await replaceKey(runtime(), actor, { id, overlapHours: 24 })
    const third = await replaceKey(runtime(), actor, { id, overlapHours: 24 })
    expect(await statusesWith(token, second.token, third.token)).toEqual([401, 200, 200])
  })

  it("whose expiry comes before the end of the overlap refuses both secrets from then on", async () => {
    const { actor, id, token } = await newKey()
    const replaced = await replaceKey(runtime(), actor, { id, overlapHours: 24 })
    vi.useFakeTimers({ toFake: ["Date"] })
    await runtime().pool.query("UPDATE api_key SET expires_at = $2 WHERE id = $1", [
      parsePublicId("key", id),
      new Date(Date.now() + HOUR_MS),
    ])
    expect(await statusesWith(token, replaced.token)).toEqual([200, 200])
    vi.setSystemTime(Date.now() + HOUR_MS)
    expect(await statusesWith(token, replaced.token)).toEqual([401, 401])
  })

  it("that is paused refuses both secrets, and works with both once it is resumed", async () => {
    const { actor, id, token } = await newKey()
    const replaced = await replaceKey(runtime(), actor, { id, overlapHours: 24 })
    await pauseKey(runtime(), actor, { id })
    expect(await statusesWith(token, replaced.token)).toEqual([401, 401])
    await resumeKey(runtime(), actor, { id })
    expect(await statusesWith(token, replaced.token)).toEqual([200, 200])
  })

  it("shows the last use of each secret", async () => {
    const { actor, id, token } = await newKey()
    const replaced = await replaceKey(runtime(), actor, { id, overlapHours: 24 })
    const uses = async () => {
      await saveLastUsed(runtime())
      const key = await find(actor, id)
      return [key?.oldSecret?.newUsedAt, key?.oldSecret?.lastUsedAt].map((at) => (at ? "used" : "unused"))
    }
    expect(await uses()).toEqual(["unused", "unused"])
    await statusWith(token)
    expect(await uses()).toEqual(["unused", "used"])
    // A use in the first two seconds may be of the old secret, which other processes still know as the current one.
    await statusWith(replaced.token)
    expect(await uses()).toEqual(["unused", "used"])
    await runtime().pool.query("UPDATE api_key SET replaced_at = replaced_at - interval '1 minute'")
    await statusWith(token)
    expect(await uses()).toEqual(["unused", "used"])
    await statusWith(replaced.token)
    expect(await uses()).toEqual(["used", "used"])
  })

  it("keeps the last use of its old secret from before the replacement", async () => {
    const { actor, id, token } = await newKey()
    await statusWith(token)
    await saveLastUsed(runtime())
    const usedAt = (await find(actor, id))?.lastUsedAt
    expect(usedAt).toMatch(/Z$/)
    await replaceKey(runtime(), actor, { id, overlapHours: 24 })
    expect((await find(actor, id))?.oldSecret).toMatchObject({ lastUsedAt: usedAt, newUsedAt: null })
  })

  it("that is revoked refuses both secrets, and cannot be replaced", async () => {
    const { actor, id, token } = await newKey()
    const replaced = await replaceKey(runtime(), actor, { id, overlapHours: 24 })
    await revokeKey(runtime(), actor, { id })
    expect(await statusesWith(token, replaced.token)).toEqual([401, 401])
    const refused = { code: "forbidden", message: "This key is revoked and cannot be changed." }
    await expect(replaceKey(runtime(), actor, { id, overlapHours: 0 })).rejects.toMatchObject(refused)
  })

  it("without a limit needs a recent sign-in", async () => {
    const { actor } = await newKey()
    const { id } = await createKey(runtime(), actor, { name: "Free", limit: null, expiresAt: null })
    const later = { ...actor, confirmedAtMs: { ...actor.confirmedAtMs, spending: 0 } }
    await expect(replaceKey(runtime(), later, { id, overlapHours: 0 })).rejects.toMatchObject({
      code: "confirmation_required",
      param: "replaceKey",
    })
  })

  it("mails those who manage keys", async () => {
    const { actor, id } = await newKey()
    await replaceKey(runtime(), actor, { id, overlapHours: 1 })
    const { rows } = await runtime().pool.query(
      "SELECT facts FROM queued_mail WHERE account_id = $1 AND kind = 'key_replaced'",
      [actor.accountId],
    )
    expect(rows).toEqual([{ facts: { keyId: id, overlapHours: 1 } }])
  })
})

describe("an old secret that is ended early", () => {
  let other: Runtime
  beforeAll(async () => {
    const made = await createRuntime(service.runtime.env, service.runtime.pool, { role: "command" })
    other = made.runtime
    return () => made.close()
  })
  beforeEach(() => installRuntime(service.runtime))

  it("is refused at once, and 1.5 s later by another process; the new secret works", async () => {
    const { actor, id, token } = await newKey()
    const replaced = await replaceKey(runtime(), actor, { id, overlapHours: 24 })
    const pass = stopClock()
    expect(await statusesWith(token, replaced.token)).toEqual([200, 200])
    installRuntime(other)
    await endOldSecret(runtime(), actor, { id })
    installRuntime(service.runtime)
    pass(1_500)
    expect(await statusesWith(token, replaced.token)).toEqual([401, 200])
    const next = await replaceKey(runtime(), actor, { id, overlapHours: 24 })
    expect(await statusesWith(replaced.token, next.token)).toEqual([200, 200])
    await endOldSecret(runtime(), actor, { id })
    expect(await statusesWith(replaced.token, next.token)).toEqual([401, 200])
  })

  it("is recorded once", async () => {
    const { actor, id } = await newKey()
    await replaceKey(runtime(), actor, { id, overlapHours: 24 })
    await endOldSecret(runtime(), actor, { id })
    await endOldSecret(runtime(), actor, { id })
    const { rows } = await runtime().pool.query(
      "SELECT action FROM audit_event WHERE subject = $1 ORDER BY audit_event.id",
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual(["key.create", "key.replace", "key.end_secret"])
  })
})
