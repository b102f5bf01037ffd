import { describe, expect, test } from "vitest"
import { setAccountStatus } from "@/lib/server/auth/account-status"
import { OPERATOR, operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { buy, buyAndPay, dollars, entriesOf, newOwner, poll, rowOf, testTopups } from "@/test/topup-fixture"
import { checkTopup } from "./check-topup"
import { listPayments } from "./list-payments"
import { getPaymentTotals } from "./payment-totals"
import { reconcileTopup } from "./reconcile-topup"
import { endTopup, settleTopup } from "./resolve-topup"
import { listTopups } from "./topup"

const { double } = await testTopups()
const REFUSED = {
  code: "invalid_request",
  param: "id",
  message: "Only a top-up that needs attention can be settled or ended.",
}

/** Buys $25, and completes its checkout with these changes. */
async function complete(changes: object): Promise<{ actor: UserActor; uuid: string; id: string }> {
  const actor = await newOwner()
  const { id: uuid, sessionId } = await buy(actor)
  double.pay(sessionId)
  Object.assign(double.world.store.get("checkout.session", sessionId), changes)
  await double.idle()
  await reconcileTopup(runtime(), uuid)
  return { actor, uuid, id: publicId("top", uuid) }
}

const inEuros = () => {
  double.setDelivery("dropped")
  return complete({ currency: "eur" }).finally(() => double.setDelivery("now"))
}

describe("a completed checkout that is not what the top-up asked for", () => {
  test.each([
    ["another currency", { currency: "eur" }],
    ["another amount", { amount_subtotal: 2_400, amount_total: 2_400 }],
    ["a reduced amount", { amount_total: 100 }],
    ["no payment required", { payment_status: "no_payment_required", payment_intent: null }],
    ["no payment", { payment_intent: null }],
  ])("needs attention for %s, credits nothing and blocks nothing", async (reason, changes) => {
    double.setDelivery("dropped")
    const { actor, uuid, id } = await complete(changes)
    double.setDelivery("now")
    expect(await checkTopup(runtime(), actor, { id })).toMatchObject({
      topup: { status: "attention", checkoutUrl: null },
      balanceUsd: "0.000000000000",
    })
    const { payments } = await listPayments(runtime(), OPERATOR, { show: "attention" })
    expect(payments.find((payment) => payment.id === id)).toMatchObject({ attention: reason })
    await poll()
    expect(await rowOf(uuid)).toMatchObject({ status: "failed", attention: reason, resolution: null })
    await buyAndPay(double, actor)
    expect(await entriesOf(actor)).toEqual(["topup 25.00"])
    await setAccountStatus(runtime(), operatorFor(actor.accountId), "closed")
  })

  test("needs attention if its payment is in a state that the product does not know", async () => {
    const actor = await newOwner()
    const { id, sessionId } = await buy(actor)
    const { payment_intent: intent } = double.payLater(sessionId)
    await double.idle()
    expect(await rowOf(id)).toMatchObject({ status: "processing", attention: null })
    Object.assign(double.world.store.get("payment_intent", String(intent)), { status: "requires_capture" })
    await reconcileTopup(runtime(), id)
    expect(await rowOf(id)).toMatchObject({ status: "failed", attention: "an unknown status" })
  })

  test("is an expired checkout if nobody completed it", async () => {
    const actor = await newOwner()
    const { id, sessionId } = await buy(actor)
    Object.assign(double.world.store.get("checkout.session", sessionId), { currency: "eur" })
    double.expire(sessionId)
    await double.idle()
    expect(await listTopups(runtime(), actor)).toMatchObject([{ id: publicId("top", id), status: "expired" }])
  })
})

describe("the operator", () => {
  test("settles it once with the credit that is due, and the ledger names the top-up", async () => {
    const { actor, uuid, id } = await inEuros()
    const input = { id, amountCents: 2_150, note: "Paid 20 EUR" }
    const both = await Promise.allSettled([
      settleTopup(runtime(), OPERATOR, input),
      settleTopup(runtime(), OPERATOR, input),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
    const [settled] = both.flatMap((one) => (one.status === "fulfilled" ? one.value : []))
    expect(settled).toMatchObject({ id, status: "settled", creditUsd: "21.500000000000" })
    await reconcileTopup(runtime(), uuid)
    expect(await entriesOf(actor)).toEqual(["credit 21.50"])
    expect(await listTopups(runtime(), actor)).toMatchObject([{ id, status: "settled", creditUsd: "21.500000000000" }])
    const { payments } = await listPayments(runtime(), OPERATOR, {})
    expect(payments.find((payment) => payment.id === id)).toMatchObject({ creditUsd: "21.500000000000" })
    await expect(endTopup(runtime(), OPERATOR, { id, note: "Again" })).rejects.toMatchObject(REFUSED)
    expect((await getPaymentTotals(runtime(), OPERATOR)).differing).toEqual([])
  })

  test("ends it without credit, also if Stripe then reports the payment as asked", async () => {
    const { actor, uuid, id } = await inEuros()
    const { attention } = await getPaymentTotals(runtime(), OPERATOR)
    expect(await endTopup(runtime(), OPERATOR, { id, note: "Refunded" })).toMatchObject({ id, status: "ended" })
    expect((await getPaymentTotals(runtime(), OPERATOR)).attention).toBe(attention - 1)
    Object.assign(double.world.store.get("checkout.session", (await rowOf(uuid)).sessionId ?? ""), { currency: "usd" })
    await reconcileTopup(runtime(), uuid)
    expect(await dollars(actor)).toBe("0.00")
    await expect(settleTopup(runtime(), OPERATOR, { id, amountCents: 2_500, note: "Late" })).rejects.toMatchObject(
      REFUSED,
    )
  })

  test("cannot settle or end a top-up that needs no attention, or that is unknown", async () => {
    const { id } = await buyAndPay(double, await newOwner())
    await expect(endTopup(runtime(), OPERATOR, { id: publicId("top", id), note: "x" })).rejects.toMatchObject(REFUSED)
    await expect(settleTopup(runtime(), OPERATOR, { id: "top_1", amountCents: 100, note: "x" })).rejects.toMatchObject({
      code: "not_found",
    })
  })

  test("settles it by a check with Stripe once Stripe reports the payment as asked", async () => {
    const { actor, uuid } = await inEuros()
    Object.assign(double.world.store.get("checkout.session", (await rowOf(uuid)).sessionId ?? ""), { currency: "usd" })
    await reconcileTopup(runtime(), uuid)
    expect(await entriesOf(actor)).toEqual(["topup 25.00"])
    expect(await rowOf(uuid)).toMatchObject({ status: "paid", attention: null })
  })
})
