import { beforeEach, describe, expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import {
  automatic,
  chargesOf,
  enterCard,
  mailKinds,
  passTime,
  setBalance,
  TERMS,
  watchedTopups,
} from "@/test/auto-topup-fixture"
import { connectStripe, dollars, entriesOf, newOwner } from "@/test/topup-fixture"
import { getAutoTopup, turnOffAutoTopup, turnOnAutoTopup } from "./auto-topup"
import { getRunway } from "./runway"
import { listTopups } from "./topup"
import { watchAutoTopups } from "./watch-auto-topups"
import { watchCrossings } from "./watch-crossings"

const { double, watch } = await watchedTopups()
await watchCrossings(runtime())
beforeEach(() => double.setTaxRate(0))

describe("the balance at the threshold", () => {
  test("is charged once, with one mail, however many processes see it", async () => {
    const actor = await automatic(double, { usd: "5" })
    await Promise.all(
      Array.from({ length: 6 }, () => {
        connectStripe(double)
        return watchAutoTopups(runtime())
      }),
    )
    await double.idle()
    expect(await entriesOf(actor)).toEqual(["credit 5.00", "topup 25.00"])
    expect(await chargesOf(double, actor)).toEqual([2500])
    expect(await mailKinds(actor)).toEqual(["auto_topup_done"])
    const [topup] = await listTopups(runtime(), actor)
    expect(topup).toMatchObject({
      isAutomatic: true,
      status: "paid",
      receiptUrl: expect.stringContaining("/receipts/"),
    })
  })

  test("is not charged while it is above, off, without a card, or in a suspended account", async () => {
    const above = await automatic(double, { usd: "5.01" })
    const off = await automatic(double)
    await turnOffAutoTopup(runtime(), off)
    const never = await newOwner()
    const suspended = await automatic(double)
    await runtime().pool.query("UPDATE account SET status = 'suspended' WHERE id = $1", [suspended.accountId])
    await watch()
    for (const actor of [above, off, never, suspended]) expect(await chargesOf(double, actor)).toEqual([])
  })

  test("sends no warning of a low balance, because credit is on its way", async () => {
    const actor = await automatic(double, { usd: "20" })
    await watchCrossings(runtime())
    await setBalance(actor, "4")
    await watchCrossings(runtime())
    await watch()
    expect(await mailKinds(actor)).toEqual(["auto_topup_done"])
  })

  test("sends the warning of a low balance once automatic top-up is off or has reached its monthly maximum", async () => {
    const off = await automatic(double, { usd: "20" })
    const capped = await automatic(double, { usd: "20" })
    const early = await automatic(double, { usd: "20" })
    await runtime().pool.query("UPDATE account SET low_balance_pico = 10 * 10 ^ 12 WHERE id = $1", [early.accountId])
    await watchCrossings(runtime())
    await setBalance(off, "4")
    await setBalance(capped, "4")
    await setBalance(early, "7")
    await watchCrossings(runtime())
    expect(await Promise.all([off, capped, early].map(mailKinds))).toEqual([[], [], ["balance_low"]])
    expect((await getRunway(runtime(), off)).level).toBe("ok")
    await turnOffAutoTopup(runtime(), off)
    await runtime().pool.query(
      "UPDATE auto_topup SET capped_in = date_trunc('month', ledger_now() AT TIME ZONE 'UTC') WHERE account_id = $1",
      [capped.accountId],
    )
    await setBalance(off, "3")
    await setBalance(capped, "3")
    await watchCrossings(runtime())
    expect(await Promise.all([off, capped].map(mailKinds))).toEqual([["balance_low"], ["balance_low"]])
  })

  test("sends a mail for each fall below zero, also when the credit between them stays below the warning", async () => {
    const actor = await automatic(double, { usd: "20" })
    await watchCrossings(runtime())
    for (const usd of ["-3", "4", "-1"]) {
      await setBalance(actor, usd)
      await watchCrossings(runtime())
    }
    expect(await mailKinds(actor)).toEqual(["balance_negative", "balance_negative"])
  })

  test.each([
    ["", 0],
    [", also when Stripe Tax fails once", 1],
  ])("adds tax to the charge, and credits the amount without it%s", async (_case, failures) => {
    double.setTaxRate(19)
    for (let i = 0; i < failures; i++) double.failNext("POST /v1/tax/calculations", "error-before")
    const { payments } = runtime()
    const actor = await newOwner()
    if (payments) payments.automaticTax = true
    try {
      await enterCard(double, actor)
      await turnOnAutoTopup(runtime(), actor, TERMS)
      await watch()
    } finally {
      if (payments) payments.automaticTax = false
    }
    expect(await chargesOf(double, actor)).toEqual([2975])
    expect(await dollars(actor)).toBe("25.00")
  })
})

describe("charges", () => {
  test("are ten minutes apart, and never exceed the maximum of a month, which is mailed once", async () => {
    const actor = await automatic(double, { usd: "-60" })
    await watch()
    await watch()
    await passTime(actor, "9 minutes 20 seconds")
    await watch()
    expect(await dollars(actor)).toBe("-35.00")
    await passTime(actor, "41 seconds")
    await watch()
    await passTime(actor, "10 minutes")
    await watch()
    await watch()
    expect(await chargesOf(double, actor)).toEqual([2500, 2500])
    expect(await mailKinds(actor)).toEqual(["auto_topup_done", "auto_topup_done", "auto_topup_paused"])
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({
      isCapped: true,
      chargedThisMonthUsd: "50.000000000000",
    })
  })

  test("continue in the next month, and at once with a higher maximum", async () => {
    const actor = await automatic(double, { usd: "-90", terms: { ...TERMS, capUsd: "25" } })
    await watch()
    await passTime(actor, "10 minutes")
    await watch()
    expect(await dollars(actor)).toBe("-65.00")
    await turnOnAutoTopup(runtime(), actor, { ...TERMS, capUsd: "50" })
    await watch()
    expect(await dollars(actor)).toBe("-40.00")
    await passTime(actor, "10 minutes")
    await watch()
    await passTime(actor, "32 days")
    // The month in which the maximum was reached moves back, too.
    await runtime().pool.query(
      "UPDATE auto_topup SET capped_in = capped_in - interval '1 month' WHERE account_id = $1",
      [actor.accountId],
    )
    await watch()
    expect(await dollars(actor)).toBe("-15.00")
  })

  test("are refunded and disputed like any top-up, and a dispute pauses until an owner resumes", async () => {
    const actor = await automatic(double)
    await watch()
    const [intent] = double.world.store.all("payment_intent").slice(-1)
    double.refund(intent?.id ?? "", { amount: 1000 })
    const dispute = double.dispute(intent?.id ?? "", { amount: 1500 })
    double.disputeFundsWithdrawn(dispute.id)
    await double.idle()
    expect(await entriesOf(actor)).toEqual(["credit 4.00", "topup 25.00", "refund -10.00", "dispute -15.00"])
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "paused", pauseReason: "dispute" })
    expect(await mailKinds(actor)).toContain("auto_topup_paused")
    await enterCard(double, actor)
    expect((await getAutoTopup(runtime(), actor)).state).toBe("paused")
    double.disputeLost(dispute.id)
    await turnOnAutoTopup(runtime(), actor, TERMS)
    expect((await getAutoTopup(runtime(), actor)).state).toBe("on")
  })
})
