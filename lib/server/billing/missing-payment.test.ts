import { afterEach, describe, expect, test } from "vitest"
import { setAccountStatus } from "@/lib/server/auth/account-status"
import { operatorFor, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { automatic, chargesOf, mailKinds, passTime, watchedTopups } from "@/test/auto-topup-fixture"
import { PRETEND_LIVE_KEY, PRETEND_TEST_KEY } from "@/test/doubles/stripe/stripe-double"
import { connectStripe, dollars, entriesOf, poll } from "@/test/topup-fixture"
import { getAutoTopup } from "./auto-topup"
import { listTopups } from "./topup"
import { watchAutoTopups } from "./watch-auto-topups"

const { double, watch } = await watchedTopups()
afterEach(() => setKey(PRETEND_TEST_KEY))

/** Sets another key. The double's live key does not find what the test key created, like the key of another Stripe account. */
function setKey(key: string): void {
  const app = runtime()
  app.env = { ...app.env, STRIPE_SECRET_KEY: key }
  connectStripe(double)
}

/** Begins a charge and loses it between the creation of its payment and the confirmation. */
async function begin(): Promise<UserActor> {
  const actor = await automatic(double)
  double.failNext(/^GET \/v1\/payment_intents\//, "error-before")
  await expect(watchAutoTopups(runtime())).rejects.toThrow("An unknown error occurred")
  return actor
}

const statusesOf = async (actor: UserActor) => (await listTopups(runtime(), actor)).map(({ status }) => status)
const close = ({ accountId }: UserActor) => setAccountStatus(runtime(), operatorFor(accountId), "closed")

describe("a payment that Stripe does not have", () => {
  test("and that was never tried ends its top-up after two hours, and the next one is charged", async () => {
    const actor = await begin()
    setKey(PRETEND_LIVE_KEY)
    await passTime(actor, "1 hour 59 minutes")
    await poll()
    expect(await statusesOf(actor)).toEqual(["processing"])
    await passTime(actor, "2 minutes")
    await poll()
    expect(await statusesOf(actor)).toEqual(["failed"])
    expect(await getAutoTopup(runtime(), actor)).toMatchObject({ state: "on", isCharging: false })
    expect(await mailKinds(actor)).toEqual([])
    setKey(PRETEND_TEST_KEY)
    await watch()
    expect(await statusesOf(actor)).toEqual(["paid", "failed"])
    expect(await chargesOf(double, actor)).toEqual([2500])
    expect(await entriesOf(actor)).toEqual(["credit 4.00", "topup 25.00"])
  })

  test("and that was never tried lets its account close", async () => {
    const actor = await begin()
    setKey(PRETEND_LIVE_KEY)
    await expect(close(actor)).rejects.toThrow("A top-up of this account is still open.")
    await passTime(actor, "2 hours 1 minute")
    await poll()
    await close(actor)
    expect(await statusesOf(actor)).toEqual(["failed"])
  })

  test("but that succeeded unseen stays in progress under any other key, and is credited under its own", async () => {
    const actor = await automatic(double)
    double.setDelivery("dropped")
    double.failNext(/confirm$/, "reset-after", 2)
    await expect(watchAutoTopups(runtime())).rejects.toThrow("An error occurred with our connection to Stripe")
    setKey(PRETEND_LIVE_KEY)
    await passTime(actor, "40 days")
    await poll()
    expect(await statusesOf(actor)).toEqual(["processing"])
    await expect(close(actor)).rejects.toThrow("A top-up of this account is still open.")
    setKey(PRETEND_TEST_KEY)
    await poll()
    expect(await chargesOf(double, actor)).toEqual([2500])
    expect(await entriesOf(actor)).toEqual(["credit 4.00", "topup 25.00"])
  })

  test("is credited once if it succeeds after its top-up has ended", async () => {
    const actor = await begin()
    const payment = double.world.store.all("payment_intent").at(-1)?.id ?? ""
    setKey(PRETEND_LIVE_KEY)
    await passTime(actor, "3 hours")
    await poll()
    expect(await statusesOf(actor)).toEqual(["failed"])
    setKey(PRETEND_TEST_KEY)
    await runtime().payments?.stripe.paymentIntents.confirm(payment)
    await double.idle()
    await poll()
    expect(await statusesOf(actor)).toEqual(["paid"])
    expect(await dollars(actor)).toBe("29.00")
  })
})
