import { describe, expect, test } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import {
  buy,
  buyAndPay,
  connectStripe,
  dollars,
  newOwner,
  poll,
  rowOf,
  testTopups,
  UNANSWERED_MS,
} from "@/test/topup-fixture"

const { double } = await testTopups({ STRIPE_AUTOMATIC_TAX: "on" }, { taxPercent: 19 })

test("an account opens at most 100 checkouts an hour; an open one still works, and another account's are not counted", async () => {
  const [actor, other] = [await newOwner(), await newOwner()]
  const first = await buy(actor)
  await runtime().pool.query(
    `INSERT INTO topup (id, account_id, user_id, amount_cents, status)
     SELECT gen_random_uuid(), $1, $2, 2500, 'expired' FROM generate_series(1, 99)`,
    [actor.accountId, actor.userId],
  )
  await expect(buy(actor)).rejects.toMatchObject({ code: "rate_limited" })
  expect((await buy(actor, "25", first.id)).sessionId).toBe(first.sessionId)
  expect((await buy(other)).sessionId).toMatch(/^cs_/)
})

test("of concurrent checkouts at the hourly limit only as many open as are left", async () => {
  const actor = await newOwner()
  await runtime().pool.query(
    `INSERT INTO topup (id, account_id, user_id, amount_cents, status)
     SELECT gen_random_uuid(), $1, $2, 2500, 'expired' FROM generate_series(1, 97)`,
    [actor.accountId, actor.userId],
  )
  const settled = await Promise.allSettled(Array.from({ length: 10 }, () => buy(actor)))
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(3)
})

describe("a checkout is opened once", () => {
  const sessionsOf = (id: string) =>
    double.world.store.all("checkout.session").filter(({ client_reference_id }) => client_reference_id === id)

  test("however often its button is clicked, concurrently or later", async () => {
    const actor = await newOwner()
    const first = await buy(actor)
    const again = await Promise.all([1, 2, 3].map(() => buy(actor, "25", first.id)))
    expect(new Set(again.map(({ checkoutUrl }) => checkoutUrl))).toEqual(new Set([first.checkoutUrl]))
    expect(sessionsOf(first.id)).toHaveLength(1)
  })

  test.each(["timeout-before", "timeout-after", "reset-before", "reset-after", "rate-limited", "unavailable"] as const)(
    "when Stripe's response is lost (%s), the next click returns the same session",
    async (fault) => {
      const actor = await newOwner()
      const id = newId()
      await buy(actor)
      double.failNext("POST /v1/checkout/sessions", fault)
      const outcome = await buy(actor, "25", id).catch(() => null)
      const { sessionId } = outcome ?? (await buy(actor, "25", id))
      expect(sessionsOf(id).map((session) => session.id)).toEqual([sessionId])
      double.pay(sessionId)
      await double.idle()
      expect(await dollars(actor)).toBe("25.00")
    },
  )

  test("when Stripe opens it slowly, further clicks open no second session", async () => {
    const actor = await newOwner()
    await buy(actor)
    const id = newId()
    double.failNext("POST /v1/checkout/sessions", "held")
    connectStripe(double, { timeout: UNANSWERED_MS })
    await expect(buy(actor, "25", id)).rejects.toThrow("Nothing was charged")
    connectStripe(double)
    await expect(buy(actor, "25", id)).rejects.toThrow("Nothing was charged")
    double.releaseRequests()
    const { sessionId } = await buy(actor, "25", id)
    expect(sessionsOf(id).map((session) => session.id)).toEqual([sessionId])
  })

  test("when Stripe repeats a 500 of a created session, the session is found", async () => {
    const actor = await newOwner()
    double.failNext("POST /v1/checkout/sessions", "error-after")
    const { id, sessionId } = await buy(actor)
    expect(sessionsOf(id).map((session) => session.id)).toEqual([sessionId])
  })

  test("when Stripe repeats a 500 without a session, a second idempotency key opens it", async () => {
    const actor = await newOwner()
    double.failNext("POST /v1/checkout/sessions", "error-before")
    const { id, sessionId } = await buy(actor)
    expect(sessionsOf(id).map((session) => session.id)).toEqual([sessionId])
  })

  test("although the first request for a customer failed, or the customer is gone", async () => {
    const actor = await newOwner()
    double.failNext("POST /v1/customers", "error-before")
    await buy(actor)
    await runtime().pool.query("UPDATE account SET stripe_customer_id = 'cus_of_the_other_mode' WHERE id = $1", [
      actor.accountId,
    ])
    const { sessionId } = await buy(actor)
    double.pay(sessionId)
    await double.idle()
    expect(await dollars(actor)).toBe("25.00")
  })

  test("and found by the poller after a crash before it was saved", async () => {
    const actor = await newOwner()
    const { id, sessionId } = await buy(actor)
    await runtime().pool.query(
      "UPDATE topup SET session_id = NULL, checkout_url = NULL, status = 'created' WHERE id = $1",
      [id],
    )
    await poll()
    expect(await rowOf(id)).toMatchObject({ status: "open", sessionId })
    expect((await buy(actor, "25", id)).sessionId).toBe(sessionId)
  })

  test("and not again once it was paid, or an hour after its first click", async () => {
    const actor = await newOwner()
    const { id } = await buyAndPay(double, actor)
    await expect(buy(actor, "25", id)).rejects.toThrow("Load it again")
    const old = await buy(actor)
    await runtime().pool.query("UPDATE topup SET created_at = created_at - interval '61 min' WHERE id = $1", [old.id])
    await expect(buy(actor, "25", old.id)).rejects.toThrow("Load it again")
  })
})
