import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { Grants } from "@/lib/server/ledger/grants"
import { sweepHolds } from "@/lib/server/ledger/sweep-holds"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { decideAs, interceptPool, ONE_NOUL } from "@/test/decide-directly"
import { insertFastKey } from "@/test/insert-rows"
import { drawnCharges, moneyOf } from "@/test/ledger-state"
import { gate } from "@/test/scripted-engine"
import { scriptedService } from "@/test/scripted-service"

const TEN_CENTS = 100_000_000_000n
const THOUSAND_USD = 10_000n * TEN_CENTS

const scripted = scriptedService()
/** Longer than any test, so that a slow machine ends no grant. */
const IDLE_MS = 600_000
beforeEach(() => {
  runtime().grants = new Grants(IDLE_MS)
})
afterEach(() => runtime().grants.close())

/** Returns a key whose next request draws on a grant. */
async function busyActor() {
  const actor = await insertFastKey(THOUSAND_USD)
  await vi.waitFor(
    async () => {
      const sent = Array.from({ length: 20 }, () => scripted.service.decide(actor.token, ONE_NOUL))
      for (const response of await Promise.all(sent)) expect(response.status).toBe(200)
      expect(await drawnCharges(actor.accountId)).toBeGreaterThan(0)
      // The burst may have used the whole grant.
      expect((await moneyOf(actor.accountId)).held).toBeGreaterThanOrEqual(2n * TEN_CENTS)
    },
    { timeout: 20_000, interval: 10 },
  )
  return actor
}

const paidFor = async (accountId: string): Promise<number> => {
  const { balance, charges } = await moneyOf(accountId)
  expect(balance).toBe(THOUSAND_USD - BigInt(charges) * TEN_CENTS)
  return charges
}

describe("a request of a busy key", () => {
  it("costs what any request costs, and every 200 is charged", async () => {
    const { accountId, token } = await busyActor()
    const before = { paid: await paidFor(accountId), drawn: await drawnCharges(accountId) }
    const responses = await Promise.all(Array.from({ length: 30 }, () => scripted.service.decide(token, ONE_NOUL)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(30)
    expect(await paidFor(accountId)).toBe(before.paid + 30)
    expect(await drawnCharges(accountId)).toBeGreaterThan(before.drawn)
  })

  it("that fails is not charged, and leaves nothing behind", async () => {
    const { accountId, token } = await busyActor()
    const { balance, states } = await moneyOf(accountId)
    scripted.engine.waitBeforeAnswer = () => Promise.reject(new ServiceError("upstream_error"))
    expect((await scripted.service.decide(token, ONE_NOUL)).status).toBe(502)
    expect(await moneyOf(accountId)).toMatchObject({ balance, states })
    await runtime().grants.close()
    expect((await moneyOf(accountId)).held).toBe(0n)
  })

  it("with an Idempotency-Key has a hold of its own", async () => {
    const { accountId, token } = await busyActor()
    const before = await drawnCharges(accountId)
    expect((await scripted.withKey(token, newId())).status).toBe(200)
    expect(await drawnCharges(accountId)).toBe(before)
  })

  it("whose reply is lost is charged once", async () => {
    const { accountId, token } = await busyActor()
    const before = await paidFor(accountId)
    let losses = 0
    interceptPool(async (name, run) => {
      const answer = await run()
      if (name === "charge-drawn" && losses++ < 1) throw new Error("Connection terminated unexpectedly")
      return answer
    })
    expect((await scripted.service.decide(token, ONE_NOUL)).status).toBe(200)
    expect(losses).toBe(2)
    expect(await paidFor(accountId)).toBe(before + 1)
  })

  it("whose charge hangs returns 500 at the deadline, and is not charged when the charge arrives later", async () => {
    const actor = await busyActor()
    const before = await paidFor(actor.accountId)
    const deadline = new AbortController()
    const { wait, open } = gate()
    let late: Promise<unknown> = Promise.resolve()
    interceptPool((name, run) => {
      if (name !== "charge-drawn") return run()
      setTimeout(() => deadline.abort(new ServiceError("upstream_timeout")), 100)
      late = wait().then(run)
      return late
    })
    await expect(decideAs(actor, deadline.signal)).rejects.toMatchObject({ code: "internal_error" })
    open()
    expect(await late).toMatchObject({ rows: [{ state: "voided" }] })
    expect(await paidFor(actor.accountId)).toBe(before)
  })

  it("is paid though its grant ends while the engine works", async () => {
    const { accountId, token } = await busyActor()
    const before = await paidFor(accountId)
    scripted.engine.waitBeforeAnswer = () => runtime().grants.close()
    expect((await scripted.service.decide(token, ONE_NOUL)).status).toBe(200)
    expect(await paidFor(accountId)).toBe(before + 1)
    expect((await moneyOf(accountId)).held).toBe(0n)
    await sweepHolds(runtime())
  })
})

describe("a busy key or account", () => {
  it.each([
    ["revoked", "UPDATE api_key SET revoked_at = now() WHERE account_id = $1"],
    ["paused", "UPDATE api_key SET paused_at = now() WHERE account_id = $1"],
    ["suspended", "UPDATE account SET status = 'suspended' WHERE id = $1"],
  ])("that is %s by another process is refused within 2 s, and nothing is charged from then on", async (_, sql) => {
    const { accountId, token } = await busyActor()
    await runtime().pool.query(sql, [accountId])
    const changedAt = performance.now()
    let last = { status: 0, sentAt: 0 }
    while (last.status !== 401) {
      const sentAt = performance.now()
      last = { status: (await scripted.service.decide(token, ONE_NOUL)).status, sentAt }
      // Sent up to 2 s after the change, a request may still be answered.
      if (last.status !== 401) expect(last.sentAt - changedAt).toBeLessThan(2_000)
    }
    const paid = await paidFor(accountId)
    for (let i = 0; i < 20; i++) expect((await scripted.service.decide(token, ONE_NOUL)).status).toBe(401)
    expect(await paidFor(accountId)).toBe(paid)
  })
})
