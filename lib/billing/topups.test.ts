import { beforeAll, describe, expect, test } from "vitest"
import type { StripeDouble } from "../../e2e/support/stripe/stripe-double"
import { buy, connectStripe, dollars, entriesOf, newOwner, poll, rowOf, testTopups } from "../../test/topup-setting"
import type { UserActor } from "../auth/user-actor"
import { parsePublicId, publicId } from "../ids"
import { runtime } from "../runtime"
import { checkReturn, checkTopup } from "./check-topup"
import { pollTopups } from "./poll-topups"
import { reconcileTopup } from "./reconcile-topup"
import { refundTopup } from "./refund-topup"

let double: StripeDouble
beforeAll(async () => {
  double = (await testTopups({ STRIPE_AUTOMATIC_TAX: "on" }, { taxPercent: 19 })).double
})

const paymentOf = (sessionId: string) => String(double.world.store.get("checkout.session", sessionId).payment_intent)

/** A paid top-up of $25, which is $29.75 with tax, delivered. */
async function paid(actor: UserActor) {
  const bought = await buy(actor)
  double.pay(bought.sessionId)
  await double.idle()
  return { ...bought, payment: paymentOf(bought.sessionId) }
}

/** With the events kept back meanwhile. */
async function withoutEvents(work: () => Promise<void>) {
  double.setDelivery("held")
  await work().finally(() => double.setDelivery("now"))
}

describe("a payment is credited once", () => {
  test("by the webhook", async () => {
    const actor = await newOwner()
    await paid(actor)
    expect(await entriesOf(actor)).toEqual(["topup 25.00"])
    expect(await dollars(actor)).toBe("25.00")
  })

  test("by the return page when it comes before any event", async () => {
    const actor = await newOwner()
    await withoutEvents(async () => {
      const { sessionId } = await buy(actor, "12.50")
      double.pay(sessionId)
      const checked = await checkReturn(actor, sessionId)
      expect(checked.topup).toMatchObject({ status: "paid", creditUsd: "12.500000000000", paidUsd: "14.880000000000" })
      expect(checked.topup.receiptUrl).toContain("/invoices/in_")
      expect(checked.balanceUsd).toBe("12.500000000000")
      await double.flush()
    })
    expect(await entriesOf(actor)).toEqual(["topup 12.50"])
  })

  test("by webhook, return page and poller at once, each many times", async () => {
    const actor = await newOwner()
    await withoutEvents(async () => {
      const { id, sessionId } = await buy(actor)
      double.pay(sessionId)
      const events = double.mailbox.held
      await Promise.all([
        ...Array.from({ length: 8 }, () => double.deliver(events)),
        ...Array.from({ length: 8 }, () => checkReturn(actor, sessionId)),
        ...Array.from({ length: 8 }, () => reconcileTopup(id)),
        poll(),
      ])
    })
    expect(await entriesOf(actor)).toEqual(["topup 25.00"])
  })

  test("by several processes at once: none overwrites what a later reading found", async () => {
    const actor = await newOwner()
    await withoutEvents(async () => {
      const { id, sessionId } = await buy(actor)
      double.pay(sessionId)
      const processes = Array.from({ length: 4 }, () => {
        connectStripe(double)
        return reconcileTopup(id)
      })
      await Promise.all(processes)
    })
    expect(await entriesOf(actor)).toEqual(["topup 25.00"])
  })

  test("by the poller alone when every event is lost", async () => {
    const actor = await newOwner()
    double.setDelivery("dropped")
    await paid(actor).finally(() => double.setDelivery("now"))
    expect(await dollars(actor)).toBe("0.00")
    await poll()
    expect(await entriesOf(actor)).toEqual(["topup 25.00"])
  })

  test("when an event comes before our own row knows its session", async () => {
    const actor = await newOwner()
    const { id, sessionId } = await buy(actor)
    await runtime().pool.query(
      "UPDATE topup SET session_id = NULL, checkout_url = NULL, status = 'created' WHERE id = $1",
      [id],
    )
    double.pay(sessionId)
    await double.idle()
    expect(await rowOf(id)).toMatchObject({ status: "paid", sessionId })
    expect(await dollars(actor)).toBe("25.00")
  })

  test("in whatever order and however often its events come", async () => {
    const actor = await newOwner()
    await withoutEvents(async () => {
      const { payment } = await paid(actor)
      double.refund(payment, { amount: 1000 })
      const held = double.mailbox.held
      await double.deliver([...held, ...held].toReversed())
    })
    expect(await dollars(actor)).toBe("16.60")
  })
})

describe("a payment that takes its time", () => {
  test("is credited when the bank confirms it, not before", async () => {
    const actor = await newOwner()
    const { id, sessionId } = await buy(actor)
    double.payLater(sessionId)
    await double.idle()
    expect((await checkReturn(actor, sessionId)).topup).toMatchObject({ status: "processing", paidUsd: null })
    expect(await dollars(actor)).toBe("0.00")
    double.settleLater(sessionId, "ok")
    await double.idle()
    expect((await rowOf(id)).status).toBe("paid")
    expect(await dollars(actor)).toBe("25.00")
  })

  test("is not credited when the bank refuses it", async () => {
    const actor = await newOwner()
    const { id, sessionId } = await buy(actor)
    double.payLater(sessionId)
    double.settleLater(sessionId, "failed")
    await double.idle()
    expect((await rowOf(id)).status).toBe("failed")
    expect(await entriesOf(actor)).toEqual([])
  })

  test("and a card that fails leaves the checkout open until another pays", async () => {
    const actor = await newOwner()
    const { id, sessionId } = await buy(actor)
    double.fail(sessionId)
    await poll()
    expect((await rowOf(id)).status).toBe("open")
    double.pay(sessionId)
    await double.idle()
    expect(await dollars(actor)).toBe("25.00")
  })

  test("a checkout that nobody paid expires, reported or not", async () => {
    const actor = await newOwner()
    const [told, untold] = [await buy(actor), await buy(actor)]
    double.expire(told.sessionId)
    await double.idle()
    double.setDelivery("dropped")
    double.expire(untold.sessionId)
    double.setDelivery("now")
    await poll()
    expect([(await rowOf(told.id)).status, (await rowOf(untold.id)).status]).toEqual(["expired", "expired"])
    expect(await entriesOf(actor)).toEqual([])
  })
})

describe("refunds and disputes", () => {
  test("a refund takes back the part of the credit that it is of what was paid", async () => {
    const actor = await newOwner()
    const { id, payment } = await paid(actor)
    double.refund(payment, { amount: 1000 })
    await double.idle()
    // 10.00 of 29.75 paid is 8.4033 of 25.00 credited.
    expect(await dollars(actor)).toBe("16.60")
    double.refund(payment)
    await double.idle()
    expect(await entriesOf(actor)).toEqual(["topup 25.00", "refund -8.40", "refund -16.60"])
    expect(await rowOf(id)).toMatchObject({ status: "paid", refundDebitCents: 2500 })
  })

  test("a refund that fails afterwards is credited again", async () => {
    const actor = await newOwner()
    const { payment } = await paid(actor)
    const refund = double.refund(payment, { isPending: true })
    await double.idle()
    expect(await dollars(actor)).toBe("0.00")
    double.failRefund(refund.id)
    await double.idle()
    expect(await entriesOf(actor)).toEqual(["topup 25.00", "refund -25.00", "refund 25.00"])
  })

  test("an inquiry takes nothing, a withdrawal does, a won dispute gives it back", async () => {
    const actor = await newOwner()
    const { payment } = await paid(actor)
    const { id } = double.dispute(payment)
    await double.idle()
    expect(await dollars(actor)).toBe("25.00")
    double.disputeFundsWithdrawn(id)
    await double.idle()
    expect(await dollars(actor)).toBe("0.00")
    double.disputeWon(id)
    await double.idle()
    expect(await entriesOf(actor)).toEqual(["topup 25.00", "dispute -25.00", "dispute 25.00"])
  })

  test("a lost dispute stays debited", async () => {
    const actor = await newOwner()
    const { payment } = await paid(actor)
    const { id } = double.dispute(payment, { amount: 595 })
    double.disputeFundsWithdrawn(id)
    double.disputeLost(id)
    await double.idle()
    expect(await entriesOf(actor)).toEqual(["topup 25.00", "dispute -5.00"])
  })

  test("together never debit more than was credited", async () => {
    const actor = await newOwner()
    const { id, payment } = await paid(actor)
    const dispute = double.dispute(payment)
    double.refund(payment, { amount: 1500 })
    double.disputeFundsWithdrawn(dispute.id)
    await double.idle()
    expect(double.totals(id)).toEqual({ paid: 2975, tax: 475, refunded: 1500, disputed: 2975 })
    expect(await dollars(actor)).toBe("0.00")
    expect(await rowOf(id)).toMatchObject({ refundDebitCents: 1261, disputeDebitCents: 1239 })
    double.disputeWon(dispute.id)
    await double.idle()
    expect(await dollars(actor)).toBe("12.39")
  })

  test("whose events are all lost are found in Stripe's list", async () => {
    const actor = await newOwner()
    const { payment } = await paid(actor)
    double.setDelivery("dropped")
    double.refund(payment, { amount: 1190 })
    double.disputeFundsWithdrawn(double.dispute(payment, { amount: 595 }).id)
    double.setDelivery("now")
    await poll()
    expect(await entriesOf(actor)).toEqual(["topup 25.00", "refund -10.00", "dispute -5.00"])
  })

  test("the operator refunds a part, then the rest, then nothing more", async () => {
    const actor = await newOwner()
    const { id } = await paid(actor)
    const topup = publicId("top", id)
    const part = await refundTopup({ id: topup, amountCents: 1190, note: "by request" })
    expect(part).toMatchObject({ refundedUsd: "10.000000000000", paidUsd: "29.750000000000" })
    expect(await dollars(actor)).toBe("15.00")
    await expect(refundTopup({ id: topup, amountCents: 1786, note: "too much" })).rejects.toThrow("greater than")
    await refundTopup({ id: topup, amountCents: null, note: "the rest" })
    await double.idle()
    expect(await entriesOf(actor)).toEqual(["topup 25.00", "refund -10.00", "refund -15.00"])
    await expect(refundTopup({ id: topup, amountCents: null, note: "again" })).rejects.toThrow("already been refunded")
    const { rows } = await runtime().pool.query(
      "SELECT actor, subject FROM audit_event WHERE action = 'topup.refund' AND account_id = $1 ORDER BY id",
      [actor.accountId],
    )
    expect(rows).toEqual([
      { actor: "operator", subject: `${topup} by request` },
      { actor: "operator", subject: `${topup} the rest` },
    ])
  })

  test.each(["reset-after", "error-after", "timeout-after"] as const)(
    "the operator's refund that Stripe made although its answer was lost (%s) is no failure and not made twice",
    async (fault) => {
      const actor = await newOwner()
      const { id } = await paid(actor)
      double.failNext("POST /v1/refunds", fault)
      await refundTopup({ id: publicId("top", id), amountCents: 1190, note: "x" })
      await double.idle()
      expect(double.totals(id).refunded).toBe(1190)
      expect(await dollars(actor)).toBe("15.00")
    },
  )

  test("the operator's refund that Stripe did not make says so", async () => {
    const { id } = await paid(await newOwner())
    double.failNext("POST /v1/refunds", "error-before")
    await expect(refundTopup({ id: publicId("top", id), amountCents: null, note: "x" })).rejects.toThrow(
      "did not answer",
    )
    const open = await buy(await newOwner())
    await expect(refundTopup({ id: publicId("top", open.id), amountCents: null, note: "x" })).rejects.toThrow(
      "Only a paid",
    )
  })
})

describe("a checkout is opened once", () => {
  const sessionsOf = (id: string) =>
    double.world.store.all("checkout.session").filter(({ client_reference_id }) => client_reference_id === id)

  test("however often its button is pressed, at once or later", async () => {
    const actor = await newOwner()
    const first = await buy(actor)
    const again = await Promise.all([1, 2, 3].map(() => buy(actor, "25", first.id)))
    expect(new Set(again.map(({ checkoutUrl }) => checkoutUrl))).toEqual(new Set([first.checkoutUrl]))
    expect(sessionsOf(first.id)).toHaveLength(1)
  })

  test.each(["timeout-before", "timeout-after", "reset-before", "reset-after", "rate-limited", "unavailable"] as const)(
    "when Stripe's answer is lost (%s), the next press gets the same session",
    async (fault) => {
      const actor = await newOwner()
      const id = (await buy(actor)).id.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))
      double.failNext("POST /v1/checkout/sessions", fault)
      const outcome = await buy(actor, "25", id).catch(() => null)
      const { sessionId } = outcome ?? (await buy(actor, "25", id))
      expect(sessionsOf(id).map((session) => session.id)).toEqual([sessionId])
      double.pay(sessionId)
      await double.idle()
      expect(await dollars(actor)).toBe("25.00")
    },
  )

  test("when Stripe replays a 500 from after the effect, its session is found", async () => {
    const actor = await newOwner()
    double.failNext("POST /v1/checkout/sessions", "error-after")
    const { id, sessionId } = await buy(actor)
    expect(sessionsOf(id).map((session) => session.id)).toEqual([sessionId])
  })

  test("when Stripe replays a 500 from before the effect, a second key opens it", async () => {
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

  test("and found by the poller when we crashed before saving it", async () => {
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

  test("and not again once it was paid, has expired or its page is old", async () => {
    const actor = await newOwner()
    const { id } = await paid(actor)
    await expect(buy(actor, "25", id)).rejects.toThrow("Load it again")
    const old = await buy(actor)
    await runtime().pool.query("UPDATE topup SET created_at = created_at - interval '61 min' WHERE id = $1", [old.id])
    await expect(buy(actor, "25", old.id)).rejects.toThrow("Load it again")
  })
})

describe("the poller", () => {
  test("is not held up by a top-up that Stripe knows nothing of", async () => {
    const actor = await newOwner()
    const [lost, open] = [await buy(actor), await buy(actor)]
    await runtime().pool.query("UPDATE topup SET session_id = 'cs_test_none' WHERE id = $1", [lost.id])
    double.setDelivery("dropped")
    double.pay(open.sessionId)
    double.setDelivery("now")
    await poll()
    expect(await dollars(actor)).toBe("25.00")
    expect((await rowOf(lost.id)).status).toBe("open")
  })

  test("is not held up by one whose reading fails", async () => {
    const actor = await newOwner()
    const [first, second] = [await buy(actor), await buy(actor)]
    double.setDelivery("dropped")
    for (const { sessionId } of [first, second]) double.pay(sessionId)
    double.setDelivery("now")
    await runtime().pool.query("UPDATE topup SET checked_at = now() - interval '2 days' WHERE id = $1", [first.id])
    await runtime().pool.query("UPDATE topup SET checked_at = now() - interval '1 day' WHERE id = $1", [second.id])
    double.failNext(`GET /v1/checkout/sessions/${first.sessionId}`, "error-before")
    await expect(pollTopups()).rejects.toThrow()
    expect([(await rowOf(first.id)).status, (await rowOf(second.id)).status]).toEqual(["open", "paid"])
  })

  test("gives up on a checkout that was never opened", async () => {
    const actor = await newOwner()
    double.failNext("POST /v1/checkout/sessions", "reset-before", 3)
    const id = (await buy(actor).catch(() => null)) === null ? await newestTopup(actor) : ""
    await poll()
    expect((await rowOf(id)).status).toBe("created")
    await runtime().pool.query("UPDATE topup SET created_at = now() - interval '3 hours' WHERE id = $1", [id])
    await poll()
    expect((await rowOf(id)).status).toBe("expired")
    double.faults.clear()
  })
})

async function newestTopup({ accountId }: UserActor): Promise<string> {
  const { rows } = await runtime().pool.query<{ id: string }>(
    "SELECT id FROM topup WHERE account_id = $1 ORDER BY created_at DESC LIMIT 1",
    [accountId],
  )
  return rows[0]?.id ?? ""
}

test("while Stripe does not answer, the page that waits shows what we know and asks again", async () => {
  const actor = await newOwner()
  const { id, sessionId } = await buy(actor)
  double.setDelivery("dropped")
  double.pay(sessionId)
  double.setDelivery("now")
  double.failNext(/GET \/v1\/checkout\/sessions/, "timeout-before")
  expect((await checkReturn(actor, sessionId)).topup.status).toBe("open")
  const { topup } = await checkTopup(actor, { id: publicId("top", id) })
  expect([topup.status, parsePublicId("top", topup.id)]).toEqual(["paid", id])
})
