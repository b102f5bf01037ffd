import type Stripe from "stripe"
import { describe, expect, test } from "vitest"
import { PRETEND_LIVE_KEY, PRETEND_TEST_KEY } from "./stripe-double"
import { open, refusal, sessionParams, stripeForEachTest } from "./stripe-for-each-test"

const at = stripeForEachTest()

describe("keys and modes", () => {
  test("a wrong key is a 401, and the other mode's objects are missing", async () => {
    const { id } = await open(at)
    expect(await refusal(at.connect("sk_test_wrong").checkout.sessions.retrieve(id))).toMatchObject({ statusCode: 401 })
    const live = at.connect(PRETEND_LIVE_KEY)
    expect(await refusal(live.checkout.sessions.retrieve(id))).toMatchObject({
      statusCode: 404,
      code: "resource_missing",
      message: expect.stringContaining("a similar object exists in test mode"),
    })
    const session = await live.checkout.sessions.create(sessionParams())
    expect([session.livemode, session.id.slice(0, 10)]).toEqual([true, "cs_live_a1"])
    expect((await at.stripe.checkout.sessions.list()).data.map((one) => one.id)).toEqual([id])
  })
})

describe("idempotency keys", () => {
  const create = (idempotencyKey: string, more: Stripe.Checkout.SessionCreateParams = {}) =>
    at.stripe.checkout.sessions.create(sessionParams(more), { idempotencyKey })

  test("the same request gets the same response and has no second effect", async () => {
    const first = await create("topup:1")
    const second = await create("topup:1")
    expect(second.id).toBe(first.id)
    expect(first.lastResponse.headers["idempotent-replayed"]).toBeUndefined()
    expect(second.lastResponse.headers["idempotent-replayed"]).toBe("true")
    expect((await at.stripe.checkout.sessions.list()).data).toHaveLength(1)
  })

  test("another request with the same key is refused, and after a day the key is free again", async () => {
    const first = await create("topup:1")
    const error = await refusal(create("topup:1", { client_reference_id: "top_2" }))
    expect(error).toMatchObject({ statusCode: 400, type: "StripeIdempotencyError", rawType: "idempotency_error" })
    expect(await refusal(at.stripe.customers.create({}, { idempotencyKey: "topup:1" }))).toMatchObject({
      statusCode: 400,
    })
    at.nowMs += 24 * 3_600_000 + 1
    expect((await create("topup:1")).id).not.toBe(first.id)
  })

  test("a request with the key of one in progress is a 409, and the first continues", async () => {
    at.double.failNext("POST /v1/checkout/sessions", "held")
    const first = create("topup:1")
    await expect.poll(() => at.double.faults.waiting).toBe(1)
    expect(await refusal(create("topup:1"))).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" })
    at.double.releaseRequests()
    expect((await first).status).toBe("open")
  })

  test("a 500 is replayed, whether it came before or after the effect, until another key is used", async () => {
    at.double.failNext("POST /v1/checkout/sessions", "error-before")
    at.double.failNext("POST /v1/checkout/sessions", "error-after")
    for (const [key, sessions] of [
      ["before", 0],
      ["after", 1],
    ] as const) {
      expect(await refusal(create(key))).toMatchObject({ statusCode: 500 })
      const again = await refusal(create(key))
      expect([again?.statusCode, again?.headers?.["idempotent-replayed"]]).toEqual([500, "true"])
      expect((await at.stripe.checkout.sessions.list()).data).toHaveLength(sessions)
    }
    expect((await create("after:2")).status).toBe("open")
  })

  test("a request refused for its parameters is not replayed", async () => {
    await refusal(create("topup:1", { success_url: "done" }))
    expect((await create("topup:1")).status).toBe("open")
  })
})

describe("faults", () => {
  const sessions = async () => (await at.stripe.checkout.sessions.list()).data.length

  test("a timeout before the effect leaves nothing, one after it leaves the effect", async () => {
    at.double.failNext(/^POST /, "timeout-before")
    expect(await refusal(open(at))).toMatchObject({ type: "StripeConnectionError" })
    expect(await sessions()).toBe(0)
    at.double.failNext(/^POST /, "timeout-after")
    const lost = at.stripe.checkout.sessions.create(sessionParams(), { idempotencyKey: "topup:1" })
    expect(await refusal(lost)).toMatchObject({ type: "StripeConnectionError" })
    expect(await sessions()).toBe(1)
    await at.stripe.checkout.sessions.create(sessionParams(), { idempotencyKey: "topup:1" })
    expect(await sessions()).toBe(1)
  })

  test("the SDK retries a reset without a second effect, and reports a 429", async () => {
    const patient = at.connect(PRETEND_TEST_KEY, { retries: 2 })
    at.double.failNext("POST /v1/checkout/sessions", "reset-after")
    at.double.failNext("POST /v1/customers", "rate-limited")
    await patient.checkout.sessions.create(sessionParams())
    expect(await sessions()).toBe(1)
    expect(await refusal(patient.customers.create({}))).toMatchObject({ statusCode: 429 })
    expect((await patient.customers.create({})).object).toBe("customer")
  })
})
