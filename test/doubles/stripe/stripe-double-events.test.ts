import { createServer } from "node:http"
import { describe, expect, test } from "vitest"
import { listen } from "@/test/listen"
import { payloadOf, signatureOf } from "./mailbox"
import { startStripe } from "./start-stripe"
import { PRETEND_TEST_KEY } from "./stripe-double"
import { open, paid, refusal, stripeForEachTest, typesSent, WEBHOOK_SECRET } from "./stripe-for-each-test"

const at = stripeForEachTest()

describe("events", () => {
  test("are created for each state change, and the SDK accepts their signature with either of two secrets", async () => {
    at.double.setWebhook({ to: at.receive, secrets: [WEBHOOK_SECRET, "whsec_two"] })
    const intent = await paid(at)
    await at.double.idle()
    expect(typesSent(at)).toEqual([
      "payment_intent.created",
      "charge.succeeded",
      "payment_intent.succeeded",
      "checkout.session.completed",
    ])
    const { payload, signature } = at.received[3] ?? { payload: "", signature: "" }
    for (const secret of [WEBHOOK_SECRET, "whsec_two"]) {
      const event = at.stripe.webhooks.constructEvent(payload, signature, secret, 300, undefined, at.nowMs)
      expect(event).toMatchObject({ type: "checkout.session.completed", data: { object: { payment_intent: intent } } })
    }
    const accepts = (text: string, header: string, secret: string) => () =>
      at.stripe.webhooks.constructEvent(text, header, secret, 300, undefined, at.nowMs)
    expect(accepts(payload, signature, "whsec_three")).toThrow("No signatures found")
    expect(accepts(payload.replace("2500", "9900"), signature, WEBHOOK_SECRET)).toThrow("No signatures found")
    expect(accepts(payload, signatureOf(payload, [WEBHOOK_SECRET], at.nowMs / 1000 - 301), WEBHOOK_SECRET)).toThrow(
      "tolerance",
    )
  })

  test("are held, shuffled and dropped on command", async () => {
    at.double.setDelivery("held")
    await paid(at)
    expect(at.received).toEqual([])
    const [created, charged, succeeded, completed] = at.double.mailbox.held
    await at.double.deliver([completed, created, completed].map(String))
    expect(typesSent(at)).toEqual([
      "checkout.session.completed",
      "payment_intent.created",
      "checkout.session.completed",
    ])
    const lots = [0.9, 0.1]
    at.double.mailbox.shuffle(() => lots.shift() ?? 0)
    expect(at.double.mailbox.held).toEqual([succeeded, charged])
    at.double.mailbox.drop([String(charged)])
    expect(at.double.mailbox.held).toEqual([succeeded])
    expect((await at.double.flush()).map(({ status }) => status)).toEqual([200])
    at.double.setDelivery("dropped")
    await open(at).then(({ id }) => at.double.expire(id))
    await at.double.flush()
    expect(at.received).toHaveLength(4)
  })

  test("are posted over HTTP until the endpoint returns 2xx, with a new signature for each attempt", async () => {
    const tries = [500, 404, 200]
    const signatures: unknown[] = []
    const endpoint = createServer((request, response) => {
      signatures.push(request.headers["stripe-signature"])
      response.writeHead(tries.shift() ?? 599).end()
    })
    const to = await listen(endpoint)
    let now = 1_000_000
    const patient = await startStripe({
      webhook: { to, secrets: [WEBHOOK_SECRET] },
      retryDelaysMs: [1, 1],
      now: () => {
        now += 1000
        return now
      },
    })
    await at.connect(PRETEND_TEST_KEY, { url: patient.url }).customers.create({})
    await patient.idle()
    await patient.stop()
    endpoint.close()
    expect(patient.mailbox.deliveries.map(({ status }) => status)).toEqual([500, 404, 200])
    expect(new Set(signatures).size).toBe(3)
  })

  test("show the object as it was, and are listed newest first, page by page, by type and time", async () => {
    const first = await paid(at)
    at.nowMs += 60_000
    at.double.refund(first, { amount: 100 })
    const all = await at.stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 100 })
    const paged = await at.stripe.events.list({ limit: 2 }).autoPagingToArray({ limit: 100 })
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(all.map(({ type }) => type)).toEqual([
      "refund.created",
      "charge.refunded",
      "checkout.session.completed",
      "payment_intent.succeeded",
      "charge.succeeded",
      "payment_intent.created",
    ])
    const late = await at.stripe.events.list({
      created: { gte: at.nowMs / 1000 },
      types: ["charge.refunded", "charge.succeeded"],
    })
    expect(late.data.map(({ type }) => type)).toEqual(["charge.refunded"])
    const charged = await at.stripe.events.retrieve(String(all[4]?.id))
    expect(charged.data.object).toMatchObject({ amount_refunded: 0 })
    expect(JSON.parse(payloadOf(charged))).toMatchObject({ object: "event", livemode: false })
    expect(await refusal(at.stripe.events.list({ starting_after: "evt_none" }))).toMatchObject({
      code: "resource_missing",
    })
  })
})

describe("the checkout page", () => {
  const act = (id: string, action: string) =>
    fetch(`${at.double.url}/c/pay/${id}/${action}`, { method: "POST", redirect: "manual" })
  const show = (id: string, query = "") => fetch(`${at.double.url}/c/pay/${id}${query}`).then((page) => page.text())

  test("says that no money moves, and returns with the session's id once the endpoint has responded", async () => {
    const { id } = await open(at)
    expect(await show(id)).toMatch(
      /Pretend payments: no money moves.*25\.00 USD.*Pay.*Card fails.*Pay later.*localhost:3000\/left/s,
    )
    const failed = await act(id, "fail")
    expect(await show(id, new URL(String(failed.headers.get("location")), at.double.url).search)).toContain(
      "Your card was declined",
    )
    const response = await act(id, "pay")
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      `http://localhost:3000/done?session=${id}`,
    ])
    expect(typesSent(at).at(-1)).toBe("checkout.session.completed")
    expect(await show(id)).toContain("This checkout is complete")
    expect((await act(id, "pay")).status).toBe(409)
    expect(at.double.totals(id).paid).toBe(2500)
  })

  test("shows an expired session, and lets the user settle, refund and dispute", async () => {
    const [gone, later] = [await open(at), await open(at)]
    at.double.expire(gone.id)
    expect(await show(gone.id)).toContain("This checkout has expired")
    await act(later.id, "pay-later")
    expect(await show(later.id)).toContain("The money is on its way")
    await act(later.id, "settle-ok")
    await act(later.id, "dispute")
    expect(at.double.totals(later.id)).toMatchObject({ paid: 2500, disputed: 2500 })
    await act(later.id, "dispute-won")
    await act(later.id, "refund")
    expect(at.double.totals(later.id)).toMatchObject({ refunded: 2500, disputed: 0 })
  })
})
