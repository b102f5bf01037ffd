import { beforeEach, describe, expect, test } from "vitest"
import { checkReturn, checkTopup } from "@/lib/server/billing/check-topup"
import { refreshTopup } from "@/lib/server/billing/payment-totals"
import { reconcileTopup } from "@/lib/server/billing/reconcile-topup"
import { startTopup } from "@/lib/server/billing/start-topup"
import { OPERATOR } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { createLog } from "@/lib/server/platform/log"
import { runtime } from "@/lib/server/platform/runtime"
import { StartTopupInput } from "@/lib/shared/billing/schema"
import { payloadOf, signatureOf } from "@/test/doubles/stripe/mailbox"
import { PRETEND_LIVE_KEY } from "@/test/doubles/stripe/stripe-double"
import { POST } from "../app/api/stripe/webhook/route"
import {
  buy,
  connectStripe,
  dollars,
  entriesOf,
  NEXT_WEBHOOK_SECRET,
  newOwner,
  poll,
  rowOf,
  testTopups,
  WEBHOOK_SECRET,
} from "./topup-fixture"

let logged = ""
const { double, app } = await testTopups()
app.log = createLog("info", {
  write: (line) => {
    logged += line
  },
})
beforeEach(() => {
  logged = ""
  double.setDelivery("held")
  double.mailbox.drop()
})

const post = async (body: string | Uint8Array, signature: string | null): Promise<number> => {
  const headers: HeadersInit = signature === null ? {} : { "stripe-signature": signature }
  const request = new Request("http://localhost:3000/api/stripe/webhook", {
    method: "POST",
    headers,
    body: body as BodyInit,
  })
  return (await POST(request)).status
}

const nowSeconds = () => Math.floor(Date.now() / 1000)

async function createUndeliveredPayment() {
  const actor = await newOwner()
  const bought = await buy(actor)
  double.pay(bought.sessionId)
  const event = double.events.findLast(({ type }) => type === "checkout.session.completed")
  if (!event) throw new Error("no event")
  return { ...bought, actor, payload: payloadOf(event) }
}

const REFUSED = "A webhook was refused: its signature is missing, expired, from the future or wrong"

describe("the webhook", () => {
  test.each([
    ["without a signature", () => null],
    ["signed with another secret", (body: string) => signatureOf(body, ["whsec_forged"], nowSeconds())],
    ["signed for other bytes", (body: string) => signatureOf(`${body} `, [WEBHOOK_SECRET], nowSeconds())],
    ["signed six minutes ago", (body: string) => signatureOf(body, [WEBHOOK_SECRET], nowSeconds() - 360)],
    ["with a malformed signature", () => "t=now,v1=yes"],
  ])("%s is refused, and the log says so without a secret", async (_name, sign) => {
    const { actor, payload } = await createUndeliveredPayment()
    expect(await post(payload, sign(payload))).toBe(400)
    expect(await entriesOf(actor)).toEqual([])
    expect(logged).toContain(REFUSED)
    expect(logged).not.toMatch(/whsec|sk_test|cs_test|pi_/)
  })

  test("accepts either of two secrets while one is rotated, and a replay changes nothing", async () => {
    for (const secret of [WEBHOOK_SECRET, NEXT_WEBHOOK_SECRET]) {
      const { actor, payload } = await createUndeliveredPayment()
      const signature = signatureOf(payload, [secret], nowSeconds())
      expect(await post(payload, signature)).toBe(200)
      expect(await post(payload, signature)).toBe(200)
      expect(await entriesOf(actor)).toEqual(["topup 25.00"])
    }
    expect(logged).toBe("")
  })

  test("refuses a body over 1 MiB even with a valid signature, and accepts one of exactly 1 MiB", async () => {
    const body = "x".repeat(1_048_577)
    expect(await post(body, signatureOf(body, [WEBHOOK_SECRET], nowSeconds()))).toBe(413)
    const padded = (await createUndeliveredPayment()).payload.padEnd(1_048_576)
    expect(await post(padded, signatureOf(padded, [WEBHOOK_SECRET], nowSeconds()))).toBe(200)
  })

  test("trusts a signed event only for the id of the top-up", async () => {
    const actor = await newOwner()
    const { id, sessionId } = await buy(actor)
    const lie = {
      id: "evt_lie",
      object: "event",
      type: "checkout.session.completed",
      livemode: false,
      data: {
        object: {
          id: sessionId,
          object: "checkout.session",
          client_reference_id: id,
          payment_status: "paid",
          status: "complete",
          amount_total: 999_900,
        },
      },
    }
    const body = JSON.stringify(lie)
    expect(await post(body, signatureOf(body, [WEBHOOK_SECRET], nowSeconds()))).toBe(200)
    expect(await entriesOf(actor)).toEqual([])
    expect((await rowOf(id)).status).toBe("open")
  })

  test.each(["customer.created", "checkout.session.completed", "charge.refunded", "charge.dispute.created"])(
    "returns 200 for %s about an unknown object",
    async (type) => {
      const object = { id: "x_1", client_reference_id: "order-7", payment_intent: "pi_theirs" }
      const body = JSON.stringify({ id: "evt_1", object: "event", type, livemode: false, data: { object } })
      expect(await post(body, signatureOf(body, [WEBHOOK_SECRET], nowSeconds()))).toBe(200)
    },
  )

  test("returns 500 while Stripe fails, and settles the event when it is sent again", async () => {
    const { actor, payload } = await createUndeliveredPayment()
    double.failNext(/^GET \/v1\/checkout\/sessions\//, "error-before")
    expect(await post(payload, signatureOf(payload, [WEBHOOK_SECRET], nowSeconds()))).toBe(500)
    expect(logged).toContain("A webhook failed and Stripe will retry it")
    expect(await post(payload, signatureOf(payload, [WEBHOOK_SECRET], nowSeconds()))).toBe(200)
    expect(await dollars(actor)).toBe("25.00")
  })
})

describe("nothing is credited and the log says why", () => {
  const MISMATCH = "A checkout does not match its top-up. Nothing was credited"

  test.each([
    ["another amount", { amount_subtotal: 100 }],
    ["another currency", { currency: "jpy" }],
    ["another reference", { client_reference_id: newId() }],
    ["a reduced amount", { amount_total: 100 }],
  ])("when the session has %s", async (reason, change) => {
    const { actor, id, sessionId } = await createUndeliveredPayment()
    Object.assign(double.world.store.get("checkout.session", sessionId), change)
    await reconcileTopup(runtime(), id)
    await poll()
    await expect(refreshTopup(runtime(), OPERATOR, { id: publicId("top", id) })).rejects.toMatchObject({
      code: "invalid_request",
      message: `The payment at Stripe does not match this top-up (${reason}). Nothing was credited.`,
    })
    expect(await entriesOf(actor)).toEqual([])
    expect(JSON.parse(logged.split("\n")[0] ?? "")).toMatchObject({
      msg: MISMATCH,
      accountId: actor.accountId,
      reason: `${reason}, ${publicId("top", id)}`,
    })
    expect(logged).not.toMatch(/sk_test|whsec|pi_|ch_|cus_|\b4242\b/)
  })

  test("when a service in live mode receives a session of the test mode", async () => {
    const { actor, id, payload } = await createUndeliveredPayment()
    const { env } = app
    Object.assign(app, { env: { ...env, STRIPE_SECRET_KEY: PRETEND_LIVE_KEY } })
    connectStripe(double)
    try {
      expect(await post(payload, signatureOf(payload, [WEBHOOK_SECRET], nowSeconds()))).toBe(200)
      expect(logged).toContain("A webhook of the other Stripe mode was ignored")
      await reconcileTopup(runtime(), id)
      expect(logged).toContain(`no such session, ${publicId("top", id)}`)
    } finally {
      Object.assign(app, { env })
      connectStripe(double)
    }
    expect(await entriesOf(actor)).toEqual([])
  })
})

describe("another account", () => {
  const MISSING = { code: "not_found", message: "This account has no such top-up." }

  test("learns nothing from a session's or a top-up's id, and credits nothing with it", async () => {
    const { actor, id, sessionId } = await createUndeliveredPayment()
    const thief = await newOwner()
    const refusals = await Promise.all(
      [
        checkReturn(runtime(), thief, { sessionId }),
        checkReturn(runtime(), thief, { sessionId: "cs_test_none" }),
        checkTopup(runtime(), thief, { id: publicId("top", id) }),
        checkTopup(runtime(), thief, { id: publicId("top", newId()) }),
        checkTopup(runtime(), thief, { id: "top_x" }),
      ].map((work) => work.catch((error: unknown) => error)),
    )
    for (const refusal of refusals) expect(refusal).toMatchObject(MISSING)
    expect([await entriesOf(thief), await entriesOf(actor)]).toEqual([[], []])
  })

  test("cannot take over a purchase by its id, nor change the amount of its own", async () => {
    const { id } = await buy(await newOwner())
    const thief = await newOwner()
    await expect(buy(thief, "25", id)).rejects.toThrow("This page is out of date.")
    const mine = await buy(thief)
    await expect(buy(thief, "26", mine.id)).rejects.toThrow("This page is out of date.")
    expect((await rowOf(mine.id)).amountCents).toBe(2500)
  })
})

describe("a top-up is not started", () => {
  test.each(["4.99", "5000.01", "0", "0.00", "-5", "1e3", "5.001", "", "999999999", "５"])(
    "for %o dollars",
    async (amountUsd) => {
      const start = async () =>
        startTopup(runtime(), await newOwner(), StartTopupInput.parse({ attempt: newId(), amountUsd }))
      await expect(start()).rejects.toThrow(/Enter an amount/)
    },
  )
})

test.each(["5", "5.00", "5000"])("a top-up is started for %s dollars, including the bounds", async (amountUsd) => {
  const { id } = await buy(await newOwner(), amountUsd)
  expect((await rowOf(id)).amountCents).toBe(Number(amountUsd) * 100)
})
