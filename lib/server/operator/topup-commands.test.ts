import { describe, expect, it } from "vitest"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { operator } from "@/test/operator"
import { buyAndPay, dollars, newOwner, testTopups } from "@/test/topup-fixture"

const { double } = await testTopups({ STRIPE_AUTOMATIC_TAX: "on" }, { taxPercent: 19 })

const refund = (...args: string[]) => operator("topup", "refund", ...args)

describe("topup", () => {
  it("list shows credit, payments, refunds and disputes, newest first", async () => {
    const actor = await newOwner()
    const first = await buyAndPay(double, actor)
    double.refund(first.payment, { amount: 1190 })
    await double.idle()
    const second = await buyAndPay(double, actor)
    const { code, out, err } = await operator("topup", "list", actor.email, "--json")
    expect([code, err]).toEqual([0, ""])
    const topup = {
      created_at: expect.stringMatching(/^20.+Z$/),
      status: "paid",
      credit_usd: "25.000000000000",
      paid_usd: "29.750000000000",
      refunded_usd: "0.000000000000",
      disputed_usd: "0.000000000000",
      receipt_url: expect.stringContaining("/invoices/in_"),
      account: { id: publicId("acc", actor.accountId), email: actor.email },
    }
    expect(JSON.parse(out)).toEqual({
      topups: [
        { ...topup, id: publicId("top", second.id) },
        { ...topup, id: publicId("top", first.id), refunded_usd: "10.000000000000" },
      ],
      next: null,
    })
    const { out: text } = await operator("topup", "list", actor.email)
    expect(text).toMatch(
      /top_\w{26}\s+\S+@\S+\s+20\d\d-\d\d-\d\d \d\d:\d\d\s+paid\s+\$25\.00\s+\$29\.75\s+\$10\.00\s+\$0\.00/,
    )
  })

  it("refund returns a part, then the rest, and debits the credit", async () => {
    const actor = await newOwner()
    const { id } = await buyAndPay(double, actor)
    const topup = publicId("top", id)
    const part = await refund(topup, "--usd", "11.90", "--note", "half a month", "--json")
    expect([part.code, JSON.parse(part.out)]).toMatchObject([0, { id: topup, refunded_usd: "10.000000000000" }])
    expect(double.totals(id).refunded).toBe(1190)
    const rest = await refund(topup, "--note", "closing")
    expect([rest.code, rest.out]).toEqual([0, expect.stringMatching(/Debited for refunds\s+\$25\.00/)])
    expect(await dollars(actor)).toBe("0.00")
    const { rows } = await runtime().pool.query(
      "SELECT subject FROM audit_event WHERE action = 'topup.refund' AND account_id = $1 ORDER BY id",
      [actor.accountId],
    )
    expect(rows).toEqual([{ subject: `${topup} half a month` }, { subject: `${topup} closing` }])
  })

  it("refund of more than is left is refused in one line and changes nothing", async () => {
    const actor = await newOwner()
    const { id } = await buyAndPay(double, actor)
    const { code, out, err } = await refund(publicId("top", id), "--usd", "29.76", "--note", "x")
    expect([code, out, err.split("\n").length]).toEqual([1, "", 2])
    expect(err).toMatch(/^Stripe refused the refund: /)
    expect(await dollars(actor)).toBe("25.00")
  })

  it.each(["top_00000000000000000000000000", "key_00000000000000000000000000", "x"])(
    "refund of %s is refused",
    async (id) => {
      expect(await refund(id, "--note", "x")).toEqual({ code: 1, out: "", err: "There is no top-up with this id.\n" })
    },
  )

  it.each([
    ["no note", []],
    ["an empty note", ["--note", " "]],
    ["half a cent", ["--usd", "0.005", "--note", "x"]],
    ["nothing", ["--usd", "0", "--note", "x"]],
    ["less than nothing", ["--usd=-5", "--note", "x"]],
    ["what is no amount", ["--usd", "all", "--note", "x"]],
    ["more than a payment can be", ["--usd", "1000000", "--note", "x"]],
  ])("refund with %s exits with 2", async (_name, args) => {
    const { code, out, err } = await refund("top_00000000000000000000000000", ...args)
    expect([code, out]).toEqual([2, ""])
    expect(err).not.toBe("")
  })

  it("refund is refused while top-ups are off, and the list still works", async () => {
    const app = runtime()
    const { payments } = app
    const actor = await newOwner()
    app.payments = null
    try {
      expect(await refund("top_00000000000000000000000000", "--note", "x")).toEqual({
        code: 1,
        out: "",
        err: "Top-ups are off: STRIPE_SECRET_KEY is not set.\n",
      })
      expect((await operator("topup", "list", actor.email, "--json")).out).toBe('{"topups":[],"next":null}\n')
    } finally {
      app.payments = payments
    }
  })
})
