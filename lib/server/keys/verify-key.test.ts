import { afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { placeHold } from "@/lib/server/ledger/hold"
import { operatorFor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { installRuntime, type Runtime, runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { insertAccount, insertKey } from "@/test/insert-rows"
import { postHead, RawConnection } from "@/test/raw-http"
import { roundTripsOf } from "@/test/round-trips"
import { testService } from "@/test/service"
import { stopClock } from "@/test/stop-clock"
import { saveLastUsed } from "./key-cache"
import { revokeKey } from "./revoke-key"
import { newSecret } from "./secret"
import { verifyKey } from "./verify-key"

const BODY = { model: ALIAS, state: "Where is it?", questions: { q: { type: "noul", instructions: "Late?" } } }

const service = await testService()
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const newActor = async (options: Parameters<typeof insertKey>[1] = {}) => {
  const { accountId } = await insertAccount()
  return { accountId, ...(await insertKey(accountId, options)) }
}

const verify = (token: string) => verifyKey(runtime(), `Bearer ${token}`)
const REFUSED = { status: 401, code: "invalid_api_key" }

describe("a key that is refused", () => {
  it.each([
    ["nothing", undefined],
    ["an empty header", ""],
    ["another scheme", `Basic ${newSecret("svcd_").token}`],
    ["another prefix", `Bearer ${newSecret("svcd_").token.replace("svcd_", "svca_")}`],
    ["no prefix", `Bearer ${newSecret("svcd_").token.slice(5)}`],
    ["a wrong checksum", `Bearer ${newSecret("svcd_").token.replace(/.$/, (last) => (last === "0" ? "1" : "0"))}`],
    ["a character too many", `Bearer ${newSecret("svcd_").token}0`],
    ["two keys", `Bearer ${newSecret("svcd_").token} ${newSecret("svcd_").token}`],
  ])("for %s costs no look-up", async (_what, authorization) => {
    const trips = await roundTripsOf(() => expect(verifyKey(runtime(), authorization)).rejects.toMatchObject(REFUSED))
    expect(trips).toBe(0)
  })

  it("for being unknown costs one look-up in 1.5 s", async () => {
    const pass = stopClock()
    const { token } = newSecret("svcd_")
    const ask = () => expect(verify(token)).rejects.toMatchObject(REFUSED)
    expect(await roundTripsOf(async () => [await ask(), await ask()])).toBe(1)
    pass(1_500)
    expect(await roundTripsOf(ask)).toBe(1)
  })

  it("for being unknown waits for its turn, and a key that was known before does not", async () => {
    const pass = stopClock()
    const { token, keyId } = await newActor()
    await verify(token)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const others = ["192.0.2.1", "192.0.2.2"].map((client) => runtime().keys.lookUp(client, () => held))
    pass(2_000)
    expect(await verify(token)).toMatchObject({ keyId })
    const { token: first } = await newActor()
    let isOver = false
    const waiting = verify(first).then(() => {
      isOver = true
    })
    expect(await verify(token)).toMatchObject({ keyId })
    expect(isOver).toBe(false)
    release()
    await Promise.all([...others, waiting])
  })

  it("for being expired is refused at that moment, even when it was cached", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
    const { token, keyId } = await newActor({ expiresAt: new Date(Date.now() + 1_000) })
    expect(await verify(token)).toMatchObject({ keyId })
    pass(999)
    expect(await verify(token)).toMatchObject({ keyId })
    pass(1)
    await expect(verify(token)).rejects.toMatchObject(REFUSED)
  })
})

describe("a key revoked on another process", () => {
  let other: Runtime
  beforeAll(async () => {
    const made = await createRuntime(service.runtime.env, service.runtime.pool, { role: "command" })
    other = made.runtime
    return () => made.close()
  })

  const on = async <T>(runtime: Runtime, work: () => Promise<T>): Promise<T> => {
    installRuntime(runtime)
    try {
      return await work()
    } finally {
      installRuntime(service.runtime)
    }
  }
  const revoke = (accountId: string, keyId: string) =>
    on(other, async () => {
      await revokeKey(runtime(), operatorFor(accountId), { id: publicId("key", keyId) })
    })

  it("is refused here within 1.5 s, even if the date is set back, and gets no hold from that moment", async () => {
    const pass = stopClock()
    const { token, accountId, keyId } = await newActor()
    await verify(token)
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 })
    pass(1_499)
    await revoke(accountId, keyId)
    const actor = await verify(token)
    expect(
      await placeHold(runtime(), { id: newId(), actor, modelId: LEXICAL_BASELINE, pricePico: pico(0n), maxTokens: 1 }),
    ).toEqual({ outcome: "revoked" })
    pass(1)
    await expect(verify(token)).rejects.toMatchObject(REFUSED)
  })

  it("between its acceptance and its hold is 401 without rate headers", async () => {
    const { token, accountId, keyId } = await newActor()
    expect((await service.decide(token, BODY)).status).toBe(200)
    await revoke(accountId, keyId)
    const response = await service.decide(token, BODY)
    expect(response.status).toBe(401)
    expect([...response.headers.keys()].filter((name) => name.startsWith("x-ratelimit"))).toEqual([])
  })

  it.each<{ headers: Record<string, string | number>; body: string }>([
    { headers: { "content-length": 2 }, body: "x!" },
    { headers: { "transfer-encoding": "chunked" }, body: "2\r\nx!\r\n0\r\n\r\n" },
  ])("while a body with $headers arrives is 401 before 400, without rate headers", async ({ headers, body }) => {
    const { token, accountId, keyId } = await newActor()
    const connection = new RawConnection(service.url)
    await connection.write(postHead({ authorization: `Bearer ${token}`, expect: "100-continue", ...headers }))
    expect((await connection.awaitResponses())[0]?.status).toBe(100)
    await revoke(accountId, keyId)
    stopClock()(1_500)
    await connection.write(body)
    const [, response] = await connection.awaitResponses(2)
    expect([response?.status, response?.headers["x-ratelimit-limit"]]).toEqual([401, undefined])
  })

  it("is refused 1.5 s after the look-up began, however long that took", async () => {
    const pass = stopClock()
    const { token, accountId, keyId } = await newActor()
    const { pool } = service.runtime
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
    vi.spyOn(pool, "query").mockImplementationOnce((async (...args: unknown[]) => {
      const found = await query(...args)
      pass(1_000)
      return found
    }) as unknown as typeof pool.query)
    await verify(token)
    await revoke(accountId, keyId)
    pass(500)
    await expect(verify(token)).rejects.toMatchObject(REFUSED)
  })
})

describe("a key that was just looked up", () => {
  it("is refused when it was revoked here meanwhile", async () => {
    const { token, accountId, keyId } = await newActor()
    const { pool } = service.runtime
    const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
    vi.spyOn(pool, "query").mockImplementationOnce((async (...args: unknown[]) => {
      const found = await query(...args)
      await revokeKey(runtime(), operatorFor(accountId), { id: publicId("key", keyId) })
      return found
    }) as unknown as typeof pool.query)
    await verify(token)
    await expect(verify(token)).rejects.toMatchObject(REFUSED)
  })

  it("is looked up once for concurrent requests", async () => {
    const { token } = await newActor()
    expect(await roundTripsOf(() => Promise.all(Array.from({ length: 50 }, () => verify(token))))).toBe(1)
  })

  it("is looked up again after the database failed", async () => {
    const { token, keyId } = await newActor()
    vi.spyOn(service.runtime.pool, "query").mockImplementationOnce(() => Promise.reject(new Error("no database")))
    await expect(verify(token)).rejects.toThrow("no database")
    expect(await verify(token)).toMatchObject({ keyId })
  })
})

describe("the last use of a key", () => {
  const lastUsed = async (keyId: string): Promise<Date | null> => {
    const { rows } = await service.runtime.pool.query("SELECT last_used_at FROM api_key WHERE id = $1", [keyId])
    return rows[0].last_used_at
  }

  it("is written once for many requests of many keys, and never goes back", async () => {
    stopClock()
    vi.useFakeTimers({ toFake: ["Date"] })
    const [one, two] = [await newActor(), await newActor()]
    await Promise.all([one, two].map(({ token }) => verify(token)))
    const uses = () => Promise.all(Array.from({ length: 100 }, (_, i) => verify((i % 2 ? one : two).token)))
    expect(await roundTripsOf(uses)).toBe(0)
    const at = new Date()
    expect(await roundTripsOf(() => saveLastUsed(runtime()))).toBe(1)
    expect([await lastUsed(one.keyId), await lastUsed(two.keyId)]).toEqual([at, at])
    expect(await roundTripsOf(() => saveLastUsed(runtime()))).toBe(0)
    service.runtime.keys.used(one.keyId, at.getTime() - 60_000)
    await saveLastUsed(runtime())
    expect(await lastUsed(one.keyId)).toEqual(at)
  })

  it("is written later after the database failed", async () => {
    const { token, keyId } = await newActor()
    await verify(token)
    vi.spyOn(service.runtime.pool, "query").mockImplementationOnce(() => Promise.reject(new Error("no database")))
    await expect(saveLastUsed(runtime())).rejects.toThrow("no database")
    expect(await lastUsed(keyId)).toBeNull()
    await saveLastUsed(runtime())
    expect(await lastUsed(keyId)).not.toBeNull()
  })
})
