import { expect, test } from "vitest"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { buy, buyAndPay, dollars, newOwner, rowOf, testTopups } from "@/test/topup-fixture"
import { cancelTopup } from "./cancel-topup"

const { double } = await testTopups()

const top = (id: string) => ({ id: publicId("top", id) })

async function cancellations(accountId: string): Promise<number> {
  const { rowCount } = await runtime().pool.query(
    "SELECT 1 FROM audit_event WHERE account_id = $1 AND action = 'topup.cancel'",
    [accountId],
  )
  return rowCount ?? 0
}

test("a cancelled checkout cannot be paid any more, and cancelling it again changes nothing", async () => {
  const actor = await newOwner()
  const { id, sessionId } = await buy(actor)
  expect(await cancelTopup(runtime(), actor, top(id))).toMatchObject({ status: "expired", checkoutUrl: null })
  expect(() => double.pay(sessionId)).toThrow()
  expect((await cancelTopup(runtime(), actor, top(id))).status).toBe("expired")
  expect(await cancellations(actor.accountId)).toBe(1)
  await expect(buy(actor, "25", id)).rejects.toThrow("This page is out of date. Load it again.")
  expect(await dollars(actor)).toBe("0.00")
})

test("a payment that was faster is credited instead", async () => {
  const actor = await newOwner()
  const { id, sessionId } = await buy(actor)
  double.setDelivery("held")
  double.pay(sessionId)
  expect((await cancelTopup(runtime(), actor, top(id))).status).toBe("paid")
  double.setDelivery("now")
  await double.idle()
  expect(await dollars(actor)).toBe("25.00")
  expect(await cancellations(actor.accountId)).toBe(0)
})

test("a checkout of another account is unknown and stays open", async () => {
  const [actor, other] = [await newOwner(), await newOwner()]
  const { id } = await buy(actor)
  await expect(cancelTopup(runtime(), other, top(id))).rejects.toMatchObject({ code: "not_found" })
  await expect(cancelTopup(runtime(), actor, { id: "top_none" })).rejects.toMatchObject({ code: "not_found" })
  expect((await rowOf(id)).status).toBe("open")
})

test.each(["timeout-before", "unavailable"] as const)(
  "while Stripe fails (%s) the checkout stays open, and the next attempt cancels it",
  async (fault) => {
    const actor = await newOwner()
    const { id, sessionId } = await buy(actor)
    double.failNext(`POST /v1/checkout/sessions/${sessionId}/expire`, fault)
    await expect(cancelTopup(runtime(), actor, top(id))).rejects.toMatchObject({ code: "upstream_error" })
    expect((await rowOf(id)).status).toBe("open")
    expect((await cancelTopup(runtime(), actor, top(id))).status).toBe("expired")
  },
)

test("a paid top-up cannot be cancelled", async () => {
  const actor = await newOwner()
  const { id } = await buyAndPay(double, actor)
  expect((await cancelTopup(runtime(), actor, top(id))).status).toBe("paid")
  expect(await dollars(actor)).toBe("25.00")
})
