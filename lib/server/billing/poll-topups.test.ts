import { describe, expect, test } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { buy, buyAndPay, dollars, newOwner, poll, rowOf, testTopups, withoutEvents } from "@/test/topup-fixture"
import { checkReturn, checkTopup } from "./check-topup"
import { listFailedEvents, retryFailedEvents } from "./failed-events"
import { pollEvents, pollTopups } from "./poll-topups"

const { double } = await testTopups({ STRIPE_AUTOMATIC_TAX: "on" }, { taxPercent: 19 })

describe("the poller", () => {
  test("is not blocked by a top-up that Stripe does not know", async () => {
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

  test("is not blocked by a top-up whose fetch fails", async () => {
    const actor = await newOwner()
    const [first, second] = [await buy(actor), await buy(actor)]
    double.setDelivery("dropped")
    for (const { sessionId } of [first, second]) double.pay(sessionId)
    double.setDelivery("now")
    await runtime().pool.query("UPDATE topup SET checked_at = now() - interval '2 days' WHERE id = $1", [first.id])
    await runtime().pool.query("UPDATE topup SET checked_at = now() - interval '1 day' WHERE id = $1", [second.id])
    double.failNext(`GET /v1/checkout/sessions/${first.sessionId}`, "error-before")
    await expect(pollTopups(runtime())).rejects.toThrow()
    expect([(await rowOf(first.id)).status, (await rowOf(second.id)).status]).toEqual(["open", "paid"])
  })

  test("gives up on a checkout that was never opened", async () => {
    const actor = await newOwner()
    double.failNext("POST /v1/checkout/sessions", "rate-limited")
    const id = newId()
    await expect(buy(actor, "25", id)).rejects.toThrow("Nothing was charged")
    await poll()
    expect((await rowOf(id)).status).toBe("created")
    await runtime().pool.query("UPDATE topup SET created_at = now() - interval '3 hours' WHERE id = $1", [id])
    await poll()
    expect((await rowOf(id)).status).toBe("expired")
    double.faults.clear()
  })
})

test("events are settled although the look-up of another one fails, and that one is retried alone", async () => {
  const actor = await newOwner()
  const [unknown, known] = [await buyAndPay(double, actor), await buyAndPay(double, actor)]
  await poll()
  await runtime().pool.query("UPDATE topup SET payment_intent_id = NULL WHERE id = $1", [unknown.id])
  await withoutEvents(double, async () => {
    double.refund(known.payment, { amount: 500 })
    double.refund(unknown.payment, { amount: 500 })
    double.mailbox.drop(double.mailbox.held)
  })
  double.failNext(/^GET \/v1\/checkout\/sessions$/, "error-before")
  await pollEvents(runtime())
  expect((await rowOf(known.id)).refundDebitCents).toBe(420)
  expect(await listFailedEvents(runtime(), OPERATOR)).toHaveLength(1)
  await retryFailedEvents(runtime())
  expect((await rowOf(unknown.id)).refundDebitCents).toBe(420)
  expect(await listFailedEvents(runtime(), OPERATOR)).toEqual([])
})

test("while Stripe does not respond, the return page shows the stored state, and the next check shows the payment", async () => {
  const actor = await newOwner()
  const { id, sessionId } = await buy(actor)
  double.setDelivery("dropped")
  double.pay(sessionId)
  double.setDelivery("now")
  double.failNext(/GET \/v1\/checkout\/sessions/, "timeout-before")
  expect((await checkReturn(runtime(), actor, { sessionId })).topup.status).toBe("open")
  const { topup } = await checkTopup(runtime(), actor, { id: publicId("top", id) })
  expect([topup.status, parsePublicId("top", topup.id)]).toEqual(["paid", id])
})
