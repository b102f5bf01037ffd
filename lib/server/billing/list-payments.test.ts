import { expect, test } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { buy, buyAndPay, newOwner, rowOf, testTopups, withoutEvents } from "@/test/topup-fixture"
import { listPayments } from "./list-payments"
import { getPaymentTotals, reconcilePayments, refreshTopup } from "./payment-totals"

const { double } = await testTopups()
const sql = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)
const owner = await newOwner()
const other = await newOwner()
const top = (id: string) => publicId("top", id)

const first = await buyAndPay(double, owner)
const second = await buyAndPay(double, other)
const open = await buy(owner)

test("payments of all accounts are listed page by page, newest first, and by account and kind", async () => {
  const page = await listPayments(runtime(), OPERATOR, { limit: 2 })
  const rest = await listPayments(runtime(), OPERATOR, { limit: 2, after: page.next })
  expect([...page.payments, ...rest.payments].map(({ id }) => id)).toEqual([
    top(open.id),
    top(second.id),
    top(first.id),
  ])
  expect(rest.next).toBeNull()
  expect(page.payments[1]).toMatchObject({
    account: { id: publicId("acc", other.accountId), email: other.email },
    status: "paid",
    paidUsd: "25.000000000000",
    isOverdue: false,
  })
  const ids = async (input: object) => (await listPayments(runtime(), OPERATOR, input)).payments.map(({ id }) => id)
  expect(await ids({ accountId: other.accountId })).toEqual([top(second.id)])
  expect(await ids({ show: "waiting" })).toEqual([top(open.id)])
  expect(await ids({ show: "paid" })).toEqual([top(second.id), top(first.id)])
  expect(await ids({ show: "refunded" })).toEqual([])
  await expect(listPayments(runtime(), OPERATOR, { after: "x" })).rejects.toMatchObject({ code: "invalid_request" })
})

test("a refund whose events were lost is found by a check with Stripe", async () => {
  await withoutEvents(double, async () => {
    double.refund(first.payment, { amount: 1000 })
  })
  expect((await rowOf(first.id)).refundDebitCents).toBe(0)
  await refreshTopup(runtime(), OPERATOR, { id: top(first.id) })
  expect((await rowOf(first.id)).refundDebitCents).toBe(1000)
  await withoutEvents(double, async () => {
    double.refund(second.payment, { amount: 500 })
  })
  expect((await reconcilePayments(runtime(), OPERATOR)).checked).toBeGreaterThan(0)
  expect((await rowOf(second.id)).refundDebitCents).toBe(500)
  const { rows } = await sql("SELECT action FROM audit_event WHERE actor = 'operator' ORDER BY id")
  expect(rows.map(({ action }) => action)).toEqual(["topup.refresh", "topup.reconcile"])
  await expect(refreshTopup(runtime(), OPERATOR, { id: "top_1" })).rejects.toMatchObject({ code: "not_found" })
})

test("a check that Stripe does not answer is in the audit log", async () => {
  const audited = async () =>
    (await sql("SELECT action FROM audit_event WHERE actor = 'operator' ORDER BY id DESC LIMIT 2")).rows.map(
      ({ action }) => action,
    )
  double.faults.plan(/./, "unavailable", 100)
  await expect(reconcilePayments(runtime(), OPERATOR)).rejects.toMatchObject({ code: "upstream_error" })
  await expect(refreshTopup(runtime(), OPERATOR, { id: top(first.id) })).rejects.toMatchObject({
    code: "upstream_error",
  })
  double.faults.clear()
  expect(await audited()).toEqual(["topup.refresh", "topup.reconcile"])
  const { rows } = await sql("SELECT count(*)::int AS count FROM audit_event WHERE actor = 'operator'")
  expect(rows).toEqual([{ count: 4 }])
})

test("the totals count what was paid and name each top-up that differs from the ledger", async () => {
  const totals = await getPaymentTotals(runtime(), OPERATOR)
  expect(totals).toMatchObject({
    enabled: true,
    livemode: false,
    paidUsd: "50.000000000000",
    refundedUsd: "15.000000000000",
    disputedUsd: "0.000000000000",
    waiting: 1,
    overdue: 0,
    disputed: 0,
    differing: [],
  })
  await sql("UPDATE topup SET refund_debit_cents = 999 WHERE id = $1", [first.id])
  await sql("UPDATE topup SET checked_at = now() - interval '3 hours' WHERE id = $1", [open.id])
  expect(await getPaymentTotals(runtime(), OPERATOR)).toMatchObject({ differing: [top(first.id)], overdue: 1 })
  expect((await listPayments(runtime(), OPERATOR, { show: "waiting" })).payments).toMatchObject([{ isOverdue: true }])
  await sql("UPDATE topup SET refund_debit_cents = 1000 WHERE id = $1", [first.id])
})
