import { describe, expect, test } from "vitest"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
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
import { joinAccount } from "@/test/sign-up"
import { buy, dollars } from "@/test/topup-fixture"
import { meanwhile } from "@/test/waits-for-lock"
import { getAutoTopup, turnOffAutoTopup, turnOnAutoTopup } from "./auto-topup"
import { checkOpenDispute } from "./open-dispute"
import { watchAutoTopups } from "./watch-auto-topups"

const REFUSED = "A payment is disputed. You can turn automatic top-up on again once the dispute is settled."

const { double, watch } = await watchedTopups()

/** Disputes the account's last payment, and returns the dispute's id. */
async function dispute(actor: UserActor): Promise<string> {
  const { rows } = await runtime().pool.query<{ id: string }>(
    `SELECT payment_intent_id AS id FROM topup WHERE account_id = $1 AND status = 'paid' ORDER BY created_at DESC LIMIT 1`,
    [actor.accountId],
  )
  const { id } = double.dispute(rows[0]?.id ?? "")
  double.disputeFundsWithdrawn(id)
  await double.idle()
  return id
}

describe("the next charge", () => {
  test("after a replaced card is as early as the page says, and not earlier", async () => {
    const actor = await automatic(double, { outcome: "declined" })
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ isLow: true, isCharging: false, nextChargeAt: null })
    const before = Date.now()
    await watch()
    const { nextChargeAt } = await getAutoTopup(runtime(), actor)
    const afterMs = Date.parse(nextChargeAt ?? "") - 600_000
    expect(afterMs).toBeGreaterThanOrEqual(before - 1)
    expect(afterMs).toBeLessThanOrEqual(Date.now() + 1)
    await enterCard(double, actor)
    await watch()
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "on", isLow: true, nextChargeAt })
    expect(await chargesOf(double, actor)).toEqual([])

    await passTime(actor, "10 minutes")
    expect((await getAutoTopup(runtime(), actor)).nextChargeAt).toBeNull()
    await watch()
    expect(await chargesOf(double, actor)).toEqual([2500])
    expect((await getAutoTopup(runtime(), actor)).isLow).toBe(false)
  })

  test("is in progress while Stripe is unreachable", async () => {
    const actor = await automatic(double)
    double.failNext(/confirm$/, "reset-before", 2)
    await expect(watchAutoTopups(runtime())).rejects.toThrow()
    expect((await getAutoTopup(runtime(), actor)).isCharging).toBe(true)
    await turnOffAutoTopup(runtime(), actor)
  })
})

describe("a failed charge", () => {
  test("has one open checkout, whichever owner opens it, and the card belongs to the one who opened it last", async () => {
    const actor = await automatic(double, { outcome: "declined" })
    await watch()
    const other = await joinAccount(actor, "owner")
    const first = await buy(actor, "25", newId(), true)
    const { sessionId } = await buy(other, "25", newId(), true)
    expect(sessionId).toBe(first.sessionId)
    double.pay(sessionId)
    await double.idle()
    expect(await dollars(actor)).toBe("29.00")
    const { rows } = await runtime().pool.query(
      "SELECT user_id FROM saved_card WHERE account_id = $1 AND removed_at IS NULL",
      [actor.accountId],
    )
    expect(rows).toEqual([{ user_id: other.userId }])
  })

  test("has one checkout when owners press at the same time", async () => {
    const actor = await automatic(double, { outcome: "declined" })
    await watch()
    const payers = [actor, await joinAccount(actor, "owner"), actor]
    const opened = await Promise.all(payers.map((payer) => buy(payer, "25", newId(), true)))
    expect(new Set(opened.map(({ sessionId }) => sessionId)).size).toBe(1)
  })

  test("cannot be paid from a page that is older than its payment", async () => {
    const actor = await automatic(double, { outcome: "declined" })
    await watch()
    double.pay((await buy(actor, "25", newId(), true)).sessionId)
    await double.idle()
    await expect(buy(await joinAccount(actor, "owner"), "25", newId(), true)).rejects.toMatchObject({
      code: "invalid_request",
      message: "No failed automatic top-up is left to pay. Load this page again.",
    })
  })

  test("has another checkout after the first one expired, and for another account", async () => {
    const actor = await automatic(double, { outcome: "declined" })
    const neighbor = await automatic(double, { outcome: "declined" })
    await watch()
    const first = await buy(actor, "25", newId(), true)
    const foreign = await buy(neighbor, "25", newId(), true)
    await passTime(actor, "1 hour")
    const second = await buy(actor, "25", newId(), true)
    expect(new Set([first, foreign, second].map(({ sessionId }) => sessionId)).size).toBe(3)
  })
})

describe("while a payment is disputed", () => {
  test("automatic top-up cannot be turned on, not even after it was turned off, until Stripe settles the dispute", async () => {
    const actor = await automatic(double)
    await watch()
    const id = await dispute(actor)
    expect(await checkOpenDispute(runtime(), actor)).toBe(true)
    await setBalance(actor, "1")
    await passTime(actor, "10 minutes")
    await expect(turnOnAutoTopup(runtime(), actor, TERMS)).rejects.toMatchObject({
      code: "invalid_request",
      message: REFUSED,
    })
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "paused", pauseReason: "dispute" })
    await turnOffAutoTopup(runtime(), actor)
    await expect(turnOnAutoTopup(runtime(), actor, TERMS)).rejects.toMatchObject({ message: REFUSED })
    await watch()
    expect(await chargesOf(double, actor)).toEqual([2500])

    double.disputeLost(id)
    await double.idle()
    expect(await checkOpenDispute(runtime(), actor)).toBe(false)
    await turnOnAutoTopup(runtime(), actor, TERMS)
    await watch()
    expect(await chargesOf(double, actor)).toEqual([2500, 2500])
  })

  test("a new card does not resume what a failed charge had paused before", async () => {
    const actor = await automatic(double)
    await watch()
    double.setCard("declined")
    await setBalance(actor, "1")
    await passTime(actor, "10 minutes")
    await watch()
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "paused", pauseReason: "declined" })
    await dispute(actor)
    await enterCard(double, actor)
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "paused", pauseReason: "dispute" })
    expect(await mailKinds(actor)).toContain("auto_topup_paused")
  })

  test("nothing is turned on while Stripe cannot say whether the dispute is settled", async () => {
    const actor = await automatic(double)
    await watch()
    double.disputeLost(await dispute(actor))
    await double.idle()
    double.failNext(/^GET .*disputes/, "error-before", 2)
    expect(await checkOpenDispute(runtime(), actor)).toBeNull()
    await expect(turnOnAutoTopup(runtime(), actor, TERMS)).rejects.toMatchObject({
      code: "upstream_error",
      message: "Stripe could not be reached. Nothing was changed. Try again in a moment.",
    })
    expect((await getAutoTopup(runtime(), actor)).state).toBe("paused")
  })
})

test("automatic top-up is not turned on when a dispute began while Stripe was asked", async () => {
  const actor = await automatic(double)
  await turnOffAutoTopup(runtime(), actor)
  const turningOn = meanwhile(
    () => turnOnAutoTopup(runtime(), actor, TERMS),
    (client) => client.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [actor.accountId]),
    (client) =>
      client.query(
        `INSERT INTO topup (id, account_id, user_id, amount_cents, paid_cents, status, dispute_debit_cents)
         VALUES ($1, $2, $3, 2500, 2500, 'paid', 2500)`,
        [newId(), actor.accountId, actor.userId],
      ),
  )
  await expect(turningOn).rejects.toMatchObject({ code: "invalid_request", message: REFUSED })
  expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "off" })
})
