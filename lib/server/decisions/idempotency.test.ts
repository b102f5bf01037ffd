import { describe, expect, it, vi } from "vitest"
import { dropIdempotencyKeys } from "@/lib/server/ledger/idempotency-claims"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { interceptPool, ONE_NOUL } from "@/test/decide-directly"
import { insertFastKey, insertKey } from "@/test/insert-rows"
import { CHARGED, outcome, REFUSED, REPLAYED } from "@/test/keyed-requests"
import { moneyOf, setLedgerClock } from "@/test/ledger-state"
import { gate } from "@/test/scripted-engine"
import { scriptedService } from "@/test/scripted-service"

const TEN_CENTS = 100_000_000_000n

const scripted = scriptedService()
const { withKey, rowsOf } = scripted

describe("a request that is sent again with its Idempotency-Key", () => {
  it("is charged once, and its answer is computed again five times", async () => {
    const { accountId, token } = await insertFastKey(10n * TEN_CENTS)
    const first = await withKey(token, "order-1")
    const body = await first.text()
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([200, null])
    for (let i = 0; i < 5; i++) {
      const again = await withKey(token, "order-1")
      expect([again.status, await again.text(), again.headers.get("idempotent-replayed")]).toEqual([200, body, "true"])
    }
    expect(await outcome(withKey(token, "order-1"))).toEqual(REFUSED)
    expect(await moneyOf(accountId)).toEqual({ balance: 9n * TEN_CENTS, held: 0n, states: ["captured"], charges: 1 })
  })

  it("is refused with another body, even one that differs in whitespace only", async () => {
    const { accountId, token } = await insertFastKey(10n * TEN_CENTS)
    expect(await outcome(withKey(token, "k"))).toEqual(CHARGED)
    expect(await outcome(withKey(token, "k", { ...ONE_NOUL, state: "t" }))).toEqual(REFUSED)
    expect(await outcome(withKey(token, "k", JSON.stringify(ONE_NOUL, null, 1)))).toEqual(REFUSED)
    expect(await outcome(withKey(token, "K", { ...ONE_NOUL, state: "t" }))).toEqual(CHARGED)
    expect(await moneyOf(accountId)).toMatchObject({ charges: 2 })
  })

  it("is charged again 24 hours later, and the old row is dropped", async () => {
    const { accountId, token } = await insertFastKey(10n * TEN_CENTS)
    expect(await outcome(withKey(token, "a"))).toEqual(CHARGED)
    expect(await outcome(withKey(token, "b"))).toEqual(CHARGED)
    await setLedgerClock("clock_timestamp() + interval '23 h 59 min'")
    expect(await outcome(withKey(token, "a"))).toEqual(REPLAYED)
    expect(await dropIdempotencyKeys(runtime())).toBe(0)
    await setLedgerClock("clock_timestamp() + interval '24 h 1 s'")
    expect(await outcome(withKey(token, "a", { ...ONE_NOUL, state: "t" }))).toEqual(CHARGED)
    expect(await dropIdempotencyKeys(runtime())).toBeGreaterThanOrEqual(1)
    expect(await rowsOf(accountId)).toHaveLength(1)
    expect(await moneyOf(accountId)).toMatchObject({ charges: 3 })
  })

  it("is looked up by account, whichever of its keys sends it", async () => {
    const { accountId, token } = await insertFastKey(10n * TEN_CENTS)
    const other = await insertKey(accountId)
    const foreign = await insertFastKey(10n * TEN_CENTS)
    expect(await outcome(withKey(token, "k"))).toEqual(CHARGED)
    expect(await outcome(withKey(other.token, "k"))).toEqual(REPLAYED)
    expect(await outcome(withKey(foreign.token, "k", { ...ONE_NOUL, state: "t" }))).toEqual(CHARGED)
  })

  it("stores neither the key nor the body, nor a hash of the body that others can compute", async () => {
    const { accountId, token } = await insertFastKey()
    const text = "a-state-that-must-not-be-stored"
    const body = JSON.stringify({ ...ONE_NOUL, state: text })
    await withKey(token, "order-of-mr-smith", body)
    const [row] = await rowsOf(accountId)
    const written = Object.values(row ?? {}).map((value) =>
      value instanceof Buffer ? value.toString("latin1") : value,
    )
    expect(JSON.stringify(written)).not.toMatch(/smith|stored/)
    const plain = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body))
    expect(row?.body_hmac).toHaveLength(32)
    expect(row?.body_hmac).not.toEqual(Buffer.from(plain))
  })

  it("is recognised during a rotation of the secret, and refused without a second charge once the old one is gone", async () => {
    const { token } = await insertFastKey(10n * TEN_CENTS)
    expect(await outcome(withKey(token, "k"))).toEqual(CHARGED)
    const { env } = scripted.service.runtime
    const { AUTH_SECRET } = env
    Object.assign(env, { AUTH_SECRET: "another-secret-of-more-than-32-characters", AUTH_SECRET_PREVIOUS: AUTH_SECRET })
    try {
      expect(await outcome(withKey(token, "k"))).toEqual(REPLAYED)
      Object.assign(env, { AUTH_SECRET_PREVIOUS: undefined })
      expect((await withKey(token, "k")).status).toBe(400)
    } finally {
      Object.assign(env, { AUTH_SECRET, AUTH_SECRET_PREVIOUS: undefined })
    }
    expect(await outcome(withKey(token, "k"))).toEqual(REPLAYED)
  })
})

describe("requests with one key at the same time", () => {
  it("are charged once: one answers, and the others compute again or are refused", async () => {
    const { accountId, token } = await insertFastKey(10n * TEN_CENTS)
    // None of them has waited for three seconds, however long the machine takes.
    vi.spyOn(performance, "now").mockReturnValue(performance.now())
    let most = 0
    scripted.engine.waitBeforeAnswer = () => {
      most = Math.max(most, scripted.engine.working)
    }
    const all = await Promise.all(Array.from({ length: 8 }, () => outcome(withKey(token, "k"))))
    const count = (kind: string) => all.filter(([, what]) => what === kind).length
    expect([count("charged"), count("replayed"), count("invalid_request")]).toEqual([1, 5, 2])
    expect(most).toBe(1)
    expect(await moneyOf(accountId)).toMatchObject({ balance: 9n * TEN_CENTS, held: 0n, charges: 1 })
  })

  it("wait for the running one, for three seconds at most", async () => {
    const { accountId, token } = await insertFastKey(10n * TEN_CENTS)
    const { wait, open } = gate()
    scripted.engine.waitBeforeAnswer = wait
    const running = withKey(token, "k")
    await expect.poll(() => scripted.engine.working).toBe(1)
    const busy = await withKey(token, "k")
    expect([...(await outcome(busy)), busy.headers.get("retry-after")]).toEqual([429, "capacity_exceeded", "1"])
    expect(await outcome(withKey(token, "k", { ...ONE_NOUL, state: "t" }))).toEqual(REFUSED)
    const waiting = withKey(token, "k")
    open()
    expect([await outcome(running), await outcome(waiting)]).toEqual([CHARGED, REPLAYED])
    expect(await moneyOf(accountId)).toMatchObject({ charges: 1 })
  })

  it("keep their claim while the engine works for longer than a claim lives", async () => {
    const { accountId, token } = await insertFastKey(10n * TEN_CENTS)
    const { wait, open } = gate()
    scripted.engine.waitBeforeAnswer = wait
    const running = withKey(token, "k")
    await expect.poll(() => scripted.engine.working).toBe(1)
    const lease = async () => (await rowsOf(accountId))[0]?.leased_until.getTime()
    const before = await lease()
    await expect.poll(lease).toBeGreaterThan(before + 1_000)
    open()
    expect(await outcome(running)).toEqual(CHARGED)
  })
})

describe("a request that fails", () => {
  it("leaves its key free, also for another body", async () => {
    const { accountId, token } = await insertFastKey(10n * TEN_CENTS)
    scripted.engine.waitBeforeAnswer = () => Promise.reject(new ServiceError("upstream_error"))
    expect(await outcome(withKey(token, "k"))).toEqual([502, "upstream_error"])
    expect(await rowsOf(accountId)).toEqual([])
    scripted.engine.waitBeforeAnswer = () => {}
    expect(await outcome(withKey(token, "k", { ...ONE_NOUL, state: "t" }))).toEqual(CHARGED)
  })

  it("after the charge does not count towards the five computations", async () => {
    const { token } = await insertFastKey(10n * TEN_CENTS)
    expect(await outcome(withKey(token, "k"))).toEqual(CHARGED)
    scripted.engine.waitBeforeAnswer = () =>
      Promise.reject(new ServiceError("capacity_exceeded", { retryAfterSeconds: 1 }))
    for (let i = 0; i < 6; i++) expect(await outcome(withKey(token, "k"))).toEqual([429, "capacity_exceeded"])
    scripted.engine.waitBeforeAnswer = () => {}
    for (let i = 0; i < 5; i++) expect(await outcome(withKey(token, "k"))).toEqual(REPLAYED)
    expect(await outcome(withKey(token, "k"))).toEqual(REFUSED)
  })
})

it("without the header a request takes two round trips, near a limit three; with it three; an answer computed again two", async () => {
  const { token } = await insertFastKey(1_000_000_000_000_000n)
  const { token: near } = await insertFastKey()
  // The key stays known, which is looked up again after two seconds.
  vi.spyOn(Date, "now").mockReturnValue(Date.now())
  await withKey(token, "before")
  await withKey(near, "before")
  const names: (string | undefined)[] = []
  interceptPool((name, run) => {
    names.push(name)
    return run()
  })
  const namesOf = async (response: Promise<Response>) => {
    names.length = 0
    expect((await response).status).toBe(200)
    return [...names]
  }
  expect(await namesOf(scripted.service.decide(token, ONE_NOUL))).toEqual(["place-holds", "charge-holds"])
  const counted = ["place-holds", "place-holds", "charge-holds"]
  expect(await namesOf(scripted.service.decide(near, ONE_NOUL))).toEqual(counted)
  const first = ["claim-idempotency-key", "place-holds", "charge-holds-once"]
  expect(await namesOf(withKey(token, "k"))).toEqual(first)
  expect(await namesOf(withKey(token, "k"))).toEqual(["claim-idempotency-key", "end-claim"])
})
