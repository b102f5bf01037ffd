import { expect, test } from "vitest"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { buy, connectStripe, entriesOf, newOwner, rowOf, testTopups } from "@/test/topup-fixture"
import { getPaymentTotals } from "./payment-totals"
import { reconcileTopup } from "./reconcile-topup"
import { endTopup, settleTopup } from "./resolve-topup"

const { double } = await testTopups()

interface Doubtful {
  actor: UserActor
  uuid: string
  settle: () => Promise<unknown>
  end: () => Promise<unknown>
  /** Delivers the events that Stripe sent for the payment, which were lost. */
  webhook: () => Promise<unknown>
}

/** Returns a top-up of $25 that needs attention, while Stripe meanwhile reports the payment as asked. */
async function corrected(): Promise<Doubtful> {
  const actor = await newOwner()
  const { id: uuid, sessionId } = await buy(actor)
  const session = double.world.store.get("checkout.session", sessionId)
  const known = new Set(double.world.store.all("event").map(({ id }) => id))
  double.setDelivery("dropped")
  double.pay(sessionId)
  double.setDelivery("now")
  Object.assign(session, { currency: "eur" })
  await reconcileTopup(runtime(), uuid)
  Object.assign(session, { currency: "usd" })
  const id = publicId("top", uuid)
  const lost = double.world.store.all("event").flatMap((event) => (known.has(event.id) ? [] : [event.id]))
  return {
    actor,
    uuid,
    settle: () => settleTopup(runtime(), OPERATOR, { id, amountCents: 2_150, note: "Paid 20 EUR" }),
    end: () => endTopup(runtime(), OPERATOR, { id, note: "Refunded" }),
    webhook: () => double.deliver(lost),
  }
}

test.each([
  ["settle", ["credit 21.50"], "settled"],
  ["end", [], "ended"],
] as const)(
  "an operator's %s during a fetch from Stripe is final: the fetch credits nothing",
  async (act, entries, resolution) => {
    const { actor, uuid, ...doubtful } = await corrected()
    connectStripe(double)
    // The fetch has read a payment as asked, and waits for its disputes.
    double.failNext("GET /v1/disputes", "held")
    const late = reconcileTopup(runtime(), uuid)
    await expect.poll(() => double.faults.waiting).toBe(1)
    await doubtful[act]()
    double.releaseRequests()
    await late
    await doubtful.webhook()
    expect(await entriesOf(actor)).toEqual(entries)
    expect(await rowOf(uuid)).toMatchObject({ status: "failed", resolution })
  },
)

const OUTCOMES = [
  { status: "paid", resolution: null, entries: ["topup 25.00"] },
  { status: "failed", resolution: "settled", entries: ["credit 21.50"] },
  { status: "failed", resolution: "ended", entries: [] },
]

test("of settling, ending and Stripe's webhook at the same moment exactly one takes effect", async () => {
  for (let round = 0; round < 10; round++) {
    const { actor, uuid, settle, end, webhook } = await corrected()
    const calls = [webhook, settle, end, settle, () => reconcileTopup(runtime(), uuid), webhook]
    await Promise.allSettled([...calls.slice(round % 5), ...calls.slice(0, round % 5)].map((call) => call()))
    const { status, resolution } = await rowOf(uuid)
    expect(OUTCOMES).toContainEqual({ status, resolution, entries: await entriesOf(actor) })
  }
  expect((await getPaymentTotals(runtime(), OPERATOR)).differing).toEqual([])
})
