import { beforeEach, expect, test, vi } from "vitest"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { operator } from "@/test/operator"
import { newOwner, testTopups, withoutEvents } from "@/test/topup-fixture"
import { getAutoTopup } from "./auto-topup"
import { listFailedEvents, retryFailedEvents } from "./failed-events"
import { reconcilePayments } from "./payment-totals"
import { pollEvents } from "./poll-topups"
import { startCardSession } from "./save-card-session"

const ALWAYS = 1_000

const { double } = await testTopups()
beforeEach(async () => {
  vi.restoreAllMocks()
  double.faults.clear()
  await query("DELETE FROM failed_stripe_event")
})

const query = (sql: string) => runtime().pool.query(sql)
const hasCard = async (actor: UserActor): Promise<boolean> => (await getAutoTopup(runtime(), actor)).card !== null

/** Saves a card whose webhook is lost, and whose fetch fails until `double.faults.clear()`. */
async function enterCardThatFails(): Promise<UserActor> {
  const actor = await newOwner()
  const { checkoutUrl } = await startCardSession(runtime(), actor)
  const sessionId = new URL(checkoutUrl).pathname.split("/").at(-1) ?? ""
  await withoutEvents(double, async () => {
    double.saveCard(sessionId)
    double.mailbox.drop(double.mailbox.held)
  })
  double.failNext(`GET /v1/checkout/sessions/${sessionId}`, "error-before", ALWAYS)
  return actor
}

/** Makes the failed events due, as if they had failed first this long ago. */
const age = (interval: string) =>
  query(`UPDATE failed_stripe_event SET created_at = now() - interval '${interval}', next_at = now()`)

test("an event that always fails neither keeps the cursor nor is read again by the next poll", async () => {
  await enterCardThatFails()
  const startedAt = Date.now()
  await pollEvents(runtime())
  const { rows } = await query("SELECT read_until FROM stripe_event_cursor")
  expect(rows[0].read_until.getTime()).toBeGreaterThanOrEqual(startedAt)
  const failed = await listFailedEvents(runtime(), OPERATOR)
  expect(failed).toMatchObject([
    { id: expect.stringMatching(/^evt_/), type: "checkout.session.completed", attempts: 0 },
  ])
  const warn = vi.spyOn(runtime().log, "warn")
  await pollEvents(runtime())
  expect(warn).not.toHaveBeenCalled()
  expect(await listFailedEvents(runtime(), OPERATOR)).toEqual(failed)
})

test("a failed event is retried alone, at growing intervals, until it is settled", async () => {
  const actor = await enterCardThatFails()
  await pollEvents(runtime())
  await query("UPDATE failed_stripe_event SET attempts = 3")
  await retryFailedEvents(runtime())
  const { rows } = await query(
    "SELECT attempts, round(extract(epoch FROM next_at - now()) / 60)::int AS minutes FROM failed_stripe_event",
  )
  expect(rows).toEqual([{ attempts: 4, minutes: 8 }])
  double.faults.clear()
  await retryFailedEvents(runtime())
  expect(await hasCard(actor)).toBe(false)
  await query("UPDATE failed_stripe_event SET next_at = now()")
  await retryFailedEvents(runtime())
  expect(await hasCard(actor)).toBe(true)
  expect(await listFailedEvents(runtime(), OPERATOR)).toEqual([])
})

test("after a day an event is given up, logged once and listed, and settled when the operator checks with Stripe", async () => {
  const actor = await enterCardThatFails()
  await pollEvents(runtime())
  const error = vi.spyOn(runtime().log, "error")
  await age("23 hours")
  await retryFailedEvents(runtime())
  expect(error).not.toHaveBeenCalled()
  await age("25 hours")
  await retryFailedEvents(runtime())
  await retryFailedEvents(runtime())
  expect(await listFailedEvents(runtime(), OPERATOR)).toMatchObject([{ attempts: 2, nextAt: null }])
  expect(error.mock.calls.map(([, fields]) => fields?.event)).toEqual(["stripe.event_given_up"])
  const { out } = await operator("topup", "events")
  expect(out).toMatch(/evt_\S+\s+checkout\.session\.completed\s+20\d\d-\d\d-\d\d \d\d:\d\d\s+2\s+–/)
  double.faults.clear()
  await reconcilePayments(runtime(), OPERATOR)
  expect(await hasCard(actor)).toBe(true)
  expect(await listFailedEvents(runtime(), OPERATOR)).toEqual([])
})

test("an event that was given up is dropped after 30 days, when Stripe no longer has it", async () => {
  await query(
    "INSERT INTO failed_stripe_event (id, type, created_at, next_at) VALUES ('evt_1', 'charge.refunded', now() - interval '30 days', NULL)",
  )
  await retryFailedEvents(runtime())
  expect(await listFailedEvents(runtime(), OPERATOR)).toEqual([])
})
