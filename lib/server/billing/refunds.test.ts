import { describe, expect, test } from "vitest"
import { revokeOperatorToken } from "@/lib/server/accounts/operator-tokens"
import { OPERATOR } from "@/lib/server/platform/actor"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { operatorToken } from "@/test/admin-api"
import { buy, buyAndPay, dollars, entriesOf, newOwner, poll, rowOf, testTopups } from "@/test/topup-fixture"
import { refundTopup } from "./refund-topup"

const { double } = await testTopups({ STRIPE_AUTOMATIC_TAX: "on" }, { taxPercent: 19 })

describe("refunds and disputes", () => {
  test("a refund debits the same part of the credit as of the payment", async () => {
    const actor = await newOwner()
    const { id, payment } = await buyAndPay(double, actor)
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
    const { payment } = await buyAndPay(double, actor)
    const refund = double.refund(payment, { isPending: true })
    await double.idle()
    expect(await dollars(actor)).toBe("0.00")
    double.failRefund(refund.id)
    await double.idle()
    expect(await entriesOf(actor)).toEqual(["topup 25.00", "refund -25.00", "refund 25.00"])
  })

  test("an inquiry debits nothing, a withdrawal debits, a won dispute credits again", async () => {
    const actor = await newOwner()
    const { payment } = await buyAndPay(double, actor)
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
    const { payment } = await buyAndPay(double, actor)
    const { id } = double.dispute(payment, { amount: 595 })
    double.disputeFundsWithdrawn(id)
    double.disputeLost(id)
    await double.idle()
    expect(await entriesOf(actor)).toEqual(["topup 25.00", "dispute -5.00"])
  })

  test("together never debit more than was credited", async () => {
    const actor = await newOwner()
    const { id, payment } = await buyAndPay(double, actor)
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

  test("whose events are lost are found in Stripe's event list", async () => {
    const actor = await newOwner()
    const { payment } = await buyAndPay(double, actor)
    double.setDelivery("dropped")
    double.refund(payment, { amount: 1190 })
    double.disputeFundsWithdrawn(double.dispute(payment, { amount: 595 }).id)
    double.setDelivery("now")
    await poll()
    expect(await entriesOf(actor)).toEqual(["topup 25.00", "refund -10.00", "dispute -5.00"])
  })

  test("the operator refunds a part, then the rest, then nothing more", async () => {
    const actor = await newOwner()
    const { id } = await buyAndPay(double, actor)
    const topup = publicId("top", id)
    const part = await refundTopup(runtime(), OPERATOR, { id: topup, amountCents: 1190, note: "by request" })
    expect(part).toMatchObject({ refundedUsd: "10.000000000000", paidUsd: "29.750000000000" })
    expect(await dollars(actor)).toBe("15.00")
    await expect(refundTopup(runtime(), OPERATOR, { id: topup, amountCents: 1786, note: "too much" })).rejects.toThrow(
      "greater than",
    )
    await refundTopup(runtime(), OPERATOR, { id: topup, amountCents: null, note: "the rest" })
    await double.idle()
    expect(await entriesOf(actor)).toEqual(["topup 25.00", "refund -10.00", "refund -15.00"])
    await expect(refundTopup(runtime(), OPERATOR, { id: topup, amountCents: null, note: "again" })).rejects.toThrow(
      "already been refunded",
    )
    const { rows } = await runtime().pool.query(
      "SELECT action, actor, subject FROM audit_event WHERE action LIKE 'topup.refund%' AND account_id = $1 ORDER BY id",
      [actor.accountId],
    )
    const operator = { action: "topup.refund", actor: "operator" }
    expect(rows).toEqual([
      { ...operator, subject: `${topup} by request` },
      { ...operator, subject: `${topup} too much` },
      { ...operator, action: "topup.refund_refused", subject: `${topup} too much` },
      { ...operator, subject: `${topup} the rest` },
      { ...operator, subject: `${topup} again` },
      { ...operator, action: "topup.refund_refused", subject: `${topup} again` },
    ])
  })

  test.each(["reset-after", "error-after", "timeout-after"] as const)(
    "the operator's refund whose response was lost (%s) succeeds and is not repeated",
    async (fault) => {
      const actor = await newOwner()
      const { id } = await buyAndPay(double, actor)
      double.failNext("POST /v1/refunds", fault)
      await refundTopup(runtime(), OPERATOR, { id: publicId("top", id), amountCents: 1190, note: "x" })
      await double.idle()
      expect(double.totals(id).refunded).toBe(1190)
      expect(await dollars(actor)).toBe("15.00")
    },
  )

  test("the operator's refund is in the audit log, without an open transaction, before Stripe makes it", async () => {
    const { pool } = runtime()
    const actor = await newOwner()
    const { id } = await buyAndPay(double, actor)
    double.failNext("POST /v1/refunds", "held")
    const refund = refundTopup(runtime(), OPERATOR, { id: publicId("top", id), amountCents: null, note: "x" })
    await expect.poll(() => double.faults.waiting).toBe(1)
    const written = "SELECT 1 FROM audit_event WHERE action = 'topup.refund' AND account_id = $1"
    expect((await pool.query(written, [actor.accountId])).rowCount).toBe(1)
    const open =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
    expect((await pool.query(open)).rowCount).toBe(0)
    double.releaseRequests()
    expect(await refund).toMatchObject({ refundedUsd: "25.000000000000" })
  })

  test("the refund of a token that ends while Stripe is read is not sent, and leaves no entry", async () => {
    const actor = await newOwner()
    const { id } = await buyAndPay(double, actor)
    const made = await operatorToken("CI")
    const token = { id: parsePublicId("opt", made.id) ?? "", rights: ["service.finance"] as const }
    double.failNext(/^GET \/v1\/checkout\/sessions/, "held")
    const input = { id: publicId("top", id), amountCents: null, note: "x" }
    const refund = refundTopup(runtime(), { ...OPERATOR, token }, input).catch((error) => error)
    await expect.poll(() => double.faults.waiting).toBe(1)
    await revokeOperatorToken(runtime(), OPERATOR, { id: made.id })
    double.releaseRequests()
    expect(await refund).toMatchObject({ code: "invalid_api_key" })
    expect(double.totals(id).refunded).toBe(0)
    const written = "SELECT FROM audit_event WHERE action = 'topup.refund' AND account_id = $1"
    expect((await runtime().pool.query(written, [actor.accountId])).rowCount).toBe(0)
  })

  test("the operator's refund whose audit row cannot be written is not sent to Stripe", async () => {
    const { pool } = runtime()
    const { id } = await buyAndPay(double, await newOwner())
    await pool.query("ALTER TABLE audit_event ADD CONSTRAINT no_refund CHECK (action <> 'topup.refund') NOT VALID")
    await expect(
      refundTopup(runtime(), OPERATOR, { id: publicId("top", id), amountCents: null, note: "x" }),
    ).rejects.toThrow("no_refund")
    await pool.query("ALTER TABLE audit_event DROP CONSTRAINT no_refund")
    expect(double.totals(id).refunded).toBe(0)
  })

  test("the operator's refund that Stripe did not make is reported", async () => {
    const { id } = await buyAndPay(double, await newOwner())
    double.failNext("POST /v1/refunds", "error-before")
    await expect(
      refundTopup(runtime(), OPERATOR, { id: publicId("top", id), amountCents: null, note: "x" }),
    ).rejects.toThrow("did not respond")
    double.failNext(/^GET \/v1\/checkout\/sessions/, "unavailable")
    await expect(
      refundTopup(runtime(), OPERATOR, { id: publicId("top", id), amountCents: null, note: "x" }),
    ).rejects.toMatchObject({ code: "upstream_error", message: expect.stringContaining("Nothing was refunded.") })
    const open = await buy(await newOwner())
    await expect(
      refundTopup(runtime(), OPERATOR, { id: publicId("top", open.id), amountCents: null, note: "x" }),
    ).rejects.toThrow("Only a paid")
  })
})
