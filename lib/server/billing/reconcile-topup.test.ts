import { setTimeout } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { listAudit } from "@/lib/server/audit/list-audit"
import { runtime } from "@/lib/server/platform/runtime"
import { listDeliveries } from "@/lib/server/webhooks/deliveries"
import { createEndpoint } from "@/lib/server/webhooks/endpoints"
import {
  buy,
  buyAndPay,
  connectStripe,
  dollars,
  entriesOf,
  newOwner,
  poll,
  rowOf,
  testTopups,
  withoutEvents,
} from "@/test/topup-fixture"
import { checkReturn } from "./check-topup"
import { reconcileTopup } from "./reconcile-topup"

const { double } = await testTopups({ STRIPE_AUTOMATIC_TAX: "on" }, { taxPercent: 19 })

describe("a payment is credited once", () => {
  test("by the webhook", async () => {
    const actor = await newOwner()
    await buyAndPay(double, actor)
    expect(await entriesOf(actor)).toEqual(["topup 25.00"])
    expect(await dollars(actor)).toBe("25.00")
  })

  test("by the return page when it comes before any event", async () => {
    const actor = await newOwner()
    await withoutEvents(double, async () => {
      const { sessionId } = await buy(actor, "12.50")
      double.pay(sessionId)
      // The page waits for Stripe for 3 s and then refreshes, as on a busy machine.
      let checked = await checkReturn(runtime(), actor, { sessionId })
      await expect
        .poll(async () => {
          checked = await checkReturn(runtime(), actor, { sessionId })
          return checked.topup.status
        })
        .toBe("paid")
      expect(checked.topup).toMatchObject({ status: "paid", creditUsd: "12.500000000000", paidUsd: "14.880000000000" })
      expect(checked.topup.receiptUrl).toContain("/invoices/in_")
      expect(checked.balanceUsd).toBe("12.500000000000")
      await double.flush()
    })
    expect(await entriesOf(actor)).toEqual(["topup 12.50"])
  })

  test("by webhook, return page and poller concurrently, each many times", async () => {
    const actor = await newOwner()
    await createEndpoint(runtime(), actor, { url: "https://hooks.example.com/", events: ["topup.paid"] })
    await withoutEvents(double, async () => {
      const { id, sessionId } = await buy(actor)
      double.pay(sessionId)
      const events = double.mailbox.held
      await Promise.all([
        ...Array.from({ length: 8 }, () => double.deliver(events)),
        ...Array.from({ length: 8 }, () => checkReturn(runtime(), actor, { sessionId })),
        ...Array.from({ length: 8 }, () => reconcileTopup(runtime(), id)),
        poll(),
      ])
    })
    expect(await entriesOf(actor)).toEqual(["topup 25.00"])
    expect(await listDeliveries(runtime(), actor)).toMatchObject([{ type: "topup.paid" }])
    const { lines } = await listAudit(runtime(), actor, { topic: "billing" })
    expect(lines.map(({ action, by }) => [action, by])).toEqual([
      ["topup.paid", "The service"],
      ["topup.start", actor.email],
    ])
  })

  test("by several processes concurrently: none overwrites a later fetch", async () => {
    const actor = await newOwner()
    await withoutEvents(double, async () => {
      const { id, sessionId } = await buy(actor)
      double.pay(sessionId)
      const processes = Array.from({ length: 4 }, () => {
        connectStripe(double)
        return reconcileTopup(runtime(), id)
      })
      await Promise.all(processes)
    })
    expect(await entriesOf(actor)).toEqual(["topup 25.00"])
  })

  test("and an older fetch that ends late does not undo a newer one", async () => {
    const actor = await newOwner()
    const { id, payment } = await buyAndPay(double, actor)
    await withoutEvents(double, async () => {
      // One process has read that nothing was refunded and waits for the disputes; meanwhile another settles a refund.
      connectStripe(double)
      double.failNext("GET /v1/disputes", "held")
      const late = reconcileTopup(runtime(), id)
      await expect.poll(() => double.faults.waiting).toBe(1)
      await setTimeout(50)
      double.refund(payment)
      connectStripe(double)
      await reconcileTopup(runtime(), id)
      expect(await dollars(actor)).toBe("0.00")
      double.releaseRequests()
      await late
    })
    expect(await entriesOf(actor)).toEqual(["topup 25.00", "refund -25.00"])
  })

  test("by the poller alone when every event is lost", async () => {
    const actor = await newOwner()
    double.setDelivery("dropped")
    await buyAndPay(double, actor).finally(() => double.setDelivery("now"))
    expect(await dollars(actor)).toBe("0.00")
    await poll()
    expect(await entriesOf(actor)).toEqual(["topup 25.00"])
  })

  test("when an event arrives before the row has its session", async () => {
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
    await withoutEvents(double, async () => {
      const { payment } = await buyAndPay(double, actor)
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
    expect((await checkReturn(runtime(), actor, { sessionId })).topup).toMatchObject({
      status: "processing",
      paidUsd: null,
    })
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

  test("an unpaid checkout expires, with or without a webhook", async () => {
    const actor = await newOwner()
    const [reported, unreported] = [await buy(actor), await buy(actor)]
    double.expire(reported.sessionId)
    await double.idle()
    double.setDelivery("dropped")
    double.expire(unreported.sessionId)
    double.setDelivery("now")
    await poll()
    expect([(await rowOf(reported.id)).status, (await rowOf(unreported.id)).status]).toEqual(["expired", "expired"])
    expect(await entriesOf(actor)).toEqual([])
  })
})
