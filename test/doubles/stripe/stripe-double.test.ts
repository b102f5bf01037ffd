import type Stripe from "stripe"
import { describe, expect, test } from "vitest"
import { open, paid, refusal, stripeForEachTest, typesSent } from "./stripe-for-each-test"

const at = stripeForEachTest()

describe("a checkout session", () => {
  test("opens with its parameters and without a payment", async () => {
    const session = await open(at, { expires_at: at.nowMs / 1000 + 3600, metadata: { account: "acc_1" } })
    expect(session).toMatchObject({
      object: "checkout.session",
      amount_subtotal: 2500,
      amount_total: 2500,
      client_reference_id: "top_1",
      currency: "usd",
      expires_at: 1795222800,
      livemode: false,
      metadata: { account: "acc_1" },
      payment_intent: null,
      payment_status: "unpaid",
      status: "open",
    })
    expect(session.id).toMatch(/^cs_test_a1\w{56}$/)
    expect(session.url).toBe(`${at.double.url}/c/pay/${session.id}`)
  })

  test("is paid, and what the service reads of the payment can be expanded from it", async () => {
    const { id: customer } = await at.stripe.customers.create({ email: "payer@example.com" })
    const { id } = await open(at, {
      customer,
      invoice_creation: { enabled: true },
      payment_intent_data: { metadata: { topup: "top_1" }, setup_future_usage: "off_session" },
    })
    at.double.pay(id)
    const session = await at.stripe.checkout.sessions.retrieve(id, {
      expand: ["payment_intent.latest_charge", "payment_intent.payment_method", "invoice", "customer"],
    })
    expect(session).toMatchObject({
      status: "complete",
      payment_status: "paid",
      url: null,
      customer: { object: "customer", email: "payer@example.com" },
      invoice: { status: "paid", hosted_invoice_url: expect.stringContaining("/invoices/in_") },
      payment_intent: {
        status: "succeeded",
        amount_received: 2500,
        metadata: { topup: "top_1" },
        latest_charge: { paid: true, amount: 2500, receipt_url: expect.stringContaining("/receipts/ch_") },
        payment_method: { card: { brand: "visa", last4: "4242" } },
      },
    })
  })

  test("adds automatic tax, before the payment if the customer's country is known", async () => {
    at.double.setTaxRate(8.25)
    const away = await open(at, { automatic_tax: { enabled: true } })
    expect([away.amount_total, away.automatic_tax.status]).toEqual([2500, "requires_location_inputs"])
    expect(at.double.pay(away.id)).toMatchObject({
      amount_subtotal: 2500,
      amount_total: 2706,
      total_details: { amount_tax: 206 },
    })
    const { id: customer } = await at.stripe.customers.create({ email: "a@example.com", address: { country: "US" } })
    const home = await open(at, { automatic_tax: { enabled: true }, customer })
    expect([home.amount_total, home.automatic_tax.status]).toEqual([2706, "complete"])
    expect(at.double.pay((await open(at)).id).amount_total).toBe(2500)
  })

  test("stays open after a declined card and can be paid by the same payment", async () => {
    const { id } = await open(at)
    const failed = at.double.fail(id)
    const intent = await at.stripe.paymentIntents.retrieve(String(failed.payment_intent))
    expect(intent).toMatchObject({ status: "requires_payment_method", last_payment_error: { code: "card_declined" } })
    expect(failed).toMatchObject({ status: "open", payment_status: "unpaid" })
    expect(at.double.pay(id).payment_intent).toBe(intent.id)
    expect(at.double.world.store.all("charge").map(({ status }) => status)).toEqual(["failed", "succeeded"])
  })

  test("with a delayed method completes unpaid and is settled later", async () => {
    const [first, second] = [await open(at), await open(at)]
    expect(at.double.payLater(first.id)).toMatchObject({ status: "complete", payment_status: "unpaid" })
    expect(at.double.totals(first.id).paid).toBe(0)
    expect(at.double.settleLater(first.id, "ok").payment_status).toBe("paid")
    at.double.payLater(second.id)
    const failed = at.double.settleLater(second.id, "failed")
    const intent = await at.stripe.paymentIntents.retrieve(String(failed.payment_intent))
    expect([failed.payment_status, intent.status]).toEqual(["unpaid", "requires_payment_method"])
    expect(typesSent(at).filter((type) => type.startsWith("checkout"))).toEqual([
      "checkout.session.completed",
      "checkout.session.async_payment_succeeded",
      "checkout.session.completed",
      "checkout.session.async_payment_failed",
    ])
  })

  test("expires on command or at its time, and cannot be paid then", async () => {
    const [first, second] = [await open(at), await open(at, { expires_at: at.nowMs / 1000 + 1800 })]
    expect((await at.stripe.checkout.sessions.expire(first.id)).status).toBe("expired")
    at.nowMs += 1_800_000
    expect((await at.stripe.checkout.sessions.retrieve(second.id)).status).toBe("expired")
    expect(() => at.double.pay(second.id)).toThrow("not open")
    expect(await refusal(at.stripe.checkout.sessions.expire(first.id))).toMatchObject({ statusCode: 400 })
  })

  test("is refused for invalid parameters, with Stripe's error codes", async () => {
    const { id: customer } = await at.stripe.customers.create({})
    const cases: [Stripe.Checkout.SessionCreateParams, object][] = [
      [{ payment_method_types: ["card"] } as object, { code: "parameter_unknown", param: "payment_method_types" }],
      [{ line_items: undefined }, { code: "parameter_missing", param: "line_items" }],
      [{ success_url: "done" }, { code: "url_invalid", param: "success_url" }],
      [{ expires_at: at.nowMs / 1000 + 60 }, { param: "expires_at" }],
      [{ customer: "cus_none" }, { statusCode: 404, code: "resource_missing", param: "customer" }],
      [{ customer, automatic_tax: { enabled: true } }, { code: "customer_tax_location_invalid" }],
      [
        {
          line_items: [{ quantity: 1, price_data: { currency: "usd", unit_amount: 49, product_data: { name: "C" } } }],
        },
        { code: "amount_too_small" },
      ],
    ]
    for (const [more, expected] of cases) expect(await refusal(open(at, more))).toMatchObject(expected)
  })
})

describe("refunds and disputes", () => {
  test("a payment is refunded in parts, never above what was paid, and a failed refund returns the money", async () => {
    const intent = await paid(at)
    const part = await at.stripe.refunds.create({ payment_intent: intent, amount: 1000, metadata: { by: "operator" } })
    expect(part).toMatchObject({
      amount: 1000,
      status: "succeeded",
      payment_intent: intent,
      metadata: { by: "operator" },
    })
    expect(await refusal(at.stripe.refunds.create({ payment_intent: intent, amount: 1501 }))).toMatchObject({
      param: "amount",
    })
    at.double.refund(intent)
    expect(at.double.totals(intent)).toEqual({ paid: 2500, tax: 0, refunded: 2500, disputed: 0 })
    expect(await refusal(at.stripe.refunds.create({ payment_intent: intent }))).toMatchObject({
      code: "charge_already_refunded",
    })
    at.double.failRefund(part.id)
    expect(at.double.totals("top_1").refunded).toBe(1500)
    expect(at.double.world.store.all("charge")).toMatchObject([{ amount_refunded: 1500, refunded: false }])
    const refunds = await at.stripe.refunds.list({ payment_intent: intent })
    expect(refunds.data.map(({ status }) => status)).toEqual(["succeeded", "failed"])
  })

  test("a dispute withdraws the money, and reinstates it when it is won", async () => {
    const [won, lost] = [await paid(at), await paid(at, { client_reference_id: "top_2" })]
    const inquiry = at.double.dispute(won)
    expect([inquiry.status, at.double.totals(won).disputed]).toEqual(["warning_needs_response", 0])
    at.double.disputeFundsWithdrawn(inquiry.id)
    expect(at.double.totals(won).disputed).toBe(2500)
    expect(await refusal(at.stripe.refunds.create({ payment_intent: won }))).toMatchObject({ code: "charge_disputed" })
    at.double.disputeWon(inquiry.id)
    expect(at.double.totals(won).disputed).toBe(0)
    const part = at.double.dispute(lost, { amount: 700 })
    at.double.disputeFundsWithdrawn(part.id)
    at.double.disputeLost(part.id)
    expect(at.double.totals("top_2")).toEqual({ paid: 2500, tax: 0, refunded: 0, disputed: 700 })
    const { data } = await at.stripe.disputes.list({ payment_intent: won })
    expect(data[0]).toMatchObject({ status: "won", balance_transactions: [{ amount: -2500 }, { amount: 2500 }] })
    expect(typesSent(at).filter((type) => type.startsWith("charge.dispute"))).toEqual([
      "charge.dispute.created",
      "charge.dispute.funds_withdrawn",
      "charge.dispute.updated",
      "charge.dispute.funds_reinstated",
      "charge.dispute.closed",
      "charge.dispute.created",
      "charge.dispute.funds_withdrawn",
      "charge.dispute.updated",
      "charge.dispute.closed",
    ])
  })
})
