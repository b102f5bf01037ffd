import { describe, expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import {
  automatic,
  chargesOf,
  enterCard,
  mailKinds,
  passTime,
  setBalance,
  watchedTopups,
} from "@/test/auto-topup-fixture"
import { buy, dollars, poll } from "@/test/topup-fixture"
import { getAutoTopup, turnOffAutoTopup } from "./auto-topup"
import { detachRemovedCards } from "./saved-card"
import { listTopups } from "./topup"
import { watchAutoTopups } from "./watch-auto-topups"

const { double, watch } = await watchedTopups()

describe("a card that fails", () => {
  test.each([
    ["declined", "declined"],
    ["authentication_required", "authentication"],
  ] as const)(
    "because it is %s pauses at once, and the completed payment resumes with its card",
    async (outcome, reason) => {
      const actor = await automatic(double, { outcome })
      await watch()
      await passTime(actor, "1 hour")
      await watch()
      await poll()
      expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "paused", pauseReason: reason })
      expect(await mailKinds(actor)).toEqual(["auto_topup_failed"])
      const failed = double.world.store.all("payment_intent").slice(-1)
      expect(failed.map(({ status }) => status)).toEqual(["requires_payment_method"])

      const { sessionId } = await buy(actor, "25", undefined, true)
      double.pay(sessionId)
      await double.idle()
      expect(await dollars(actor)).toBe("29.00")
      expect(await getAutoTopup(runtime(), actor)).toMatchObject({
        state: "on",
        card: { brand: "visa", last4: "4242" },
      })
      await setBalance(actor, "1")
      await watch()
      expect(await dollars(actor)).toBe("26.00")
    },
  )

  test("is replaced by another one, which resumes and is charged", async () => {
    const actor = await automatic(double, { outcome: "declined" })
    await watch()
    await enterCard(double, actor)
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "on", card: { last4: "4242" } })
    await passTime(actor, "10 minutes")
    await watch()
    expect(await dollars(actor)).toBe("29.00")
    await detachRemovedCards(runtime())
    const cards = double.world.store.all("payment_method").slice(-2)
    expect(cards.map(({ customer }) => customer === null)).toEqual([true, false])
  })

  test("because Stripe no longer has it pauses too", async () => {
    const actor = await automatic(double)
    double.setDelivery("dropped")
    const [card] = double.world.store.all("payment_method").slice(-1)
    if (card) card.customer = null
    await watch()
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "paused", pauseReason: "refused" })
    expect(await mailKinds(actor)).toEqual(["auto_topup_failed"])
  })
})

test("turning off while Stripe is unreachable cancels the charge", async () => {
  const actor = await automatic(double)
  double.failNext(/confirm$/, "reset-before", 2)
  await expect(watchAutoTopups(runtime())).rejects.toThrow()
  await turnOffAutoTopup(runtime(), actor)
  await poll()
  expect(await chargesOf(double, actor)).toEqual([])
  expect((await listTopups(runtime(), actor)).map(({ status }) => status)).toEqual(["failed"])
  expect(await mailKinds(actor)).toEqual([])
})
