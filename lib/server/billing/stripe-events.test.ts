import { readFileSync } from "node:fs"
import { expect, onTestFinished, test, vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { signatureOf } from "@/test/doubles/stripe/mailbox"
import { testTopups, WEBHOOK_SECRET } from "@/test/topup-fixture"
import { receiveEvent, TOPUP_EVENTS } from "./stripe-events"

await testTopups()

test("docs/operating.md lists exactly the handled events", () => {
  const guide = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8")
  const named = guide.match(/\b(?:checkout\.session|charge|refund|payment_intent|payment_method)\.[a-z_.]+/g)
  expect(named?.toSorted()).toEqual([...TOPUP_EVENTS].toSorted())
})

test.each([
  [-300, 200],
  [-301, 400],
  [300, 200],
  [301, 400],
])("an event that was signed %i seconds from now is answered with %i", async (seconds, status) => {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  // The second does not end before the event is received.
  const clock = vi.spyOn(Date, "now").mockReturnValue(nowSeconds * 1_000)
  onTestFinished(() => clock.mockRestore())
  const payload = JSON.stringify({ id: "evt_1", object: "event", type: "customer.created", livemode: false, data: {} })
  const signature = signatureOf(payload, [WEBHOOK_SECRET], nowSeconds + seconds)
  expect(await receiveEvent(runtime(), Buffer.from(payload), signature)).toBe(status)
})

test("refused signatures of one client have ten lines a minute", async () => {
  const warn = vi.spyOn(runtime().log, "warn").mockReturnValue()
  onTestFinished(() => warn.mockRestore())
  const refused = () => receiveEvent(runtime(), Buffer.from("{}"), "t=1,v1=forged", "192.0.2.98")
  for (let n = 0; n < 12; n++) expect(await refused()).toBe(400)
  expect(warn).toHaveBeenCalledTimes(10)
})
