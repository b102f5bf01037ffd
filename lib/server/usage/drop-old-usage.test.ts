import { beforeEach, expect, test } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { firstIdAt, newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { DAY_MS } from "@/lib/shared/time"
import { testRuntime } from "@/test/database"
import { chargeTenant, createTenant, setClock, type Tenant } from "@/test/tenant"
import { dropOldUsage } from "./drop-old-usage"
import { getUsage } from "./get-usage"
import { listRequests } from "./list-requests"
import { rollUpUsage } from "./roll-up-usage"

const app = await testRuntime({ RETENTION_DAYS: "90" })
beforeEach(() => setClock(null))

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const count = async (from: string) => (await app.pool.query(`SELECT count(*)::int AS n FROM ${from}`)).rows[0].n

/** Inserts refused requests of this time. */
const refuse = ({ actor, keys }: Tenant, at: Date, requests: number) =>
  app.pool.query(
    `INSERT INTO request_event (id, account_id, key_id, status, code, latency_ms, created_at)
     SELECT uuidv7($4 * interval '1 day'), $1, $2, 400, 'invalid_request', 3, $3 FROM generate_series(1, $5)`,
    [actor.accountId, keys[0], at, (at.getTime() - Date.now()) / DAY_MS, requests],
  )

async function chargeAt(tenant: Tenant, at: Date): Promise<string> {
  await setClock(at.toISOString())
  const id = await chargeTenant(tenant, tenant.keys[0], { tokens: 100, tags: ["team=search"] })
  await setClock(null)
  return id
}

test("refused requests and hourly sums are dropped after 90 days, and nothing that was charged", async () => {
  const tenant = await createTenant(["Old"])
  const [old, recent] = [daysAgo(92), daysAgo(89)]
  await chargeAt(tenant, old)
  await chargeAt(tenant, recent)
  await refuse(tenant, old, 2_500)
  await refuse(tenant, recent, 3)
  await rollUpUsage(runtime())
  const totals = () => getUsage(runtime(), tenant.actor, { range: { days: 120 } })
  const before = await totals()
  expect([before.total.decisions, before.total.refused]).toEqual([2, 2_503])

  // 2,500 refused requests, four hourly sums each of charges and of refused requests, and one of the tag.
  expect(await dropOldUsage(runtime())).toBe(2_509)
  expect(await dropOldUsage(runtime())).toBe(0)

  expect(await count("request_event")).toBe(3)
  expect((await totals()).total).toEqual(before.total)
  expect((await totals()).errors).toEqual(before.errors)
  expect((await totals()).tags).toEqual(before.tags)
  expect(before.tags).toMatchObject([{ tag: "team=search", decisions: 2, tokens: 200 }])
  const log = await listRequests(runtime(), tenant.actor, { range: { days: 120 } })
  expect(log.requests.map(({ status }) => status).toSorted()).toEqual([200, 200, 400, 400, 400])
  expect((await verifyLedger(runtime())).checks.filter(({ ok }) => !ok)).toEqual([])
})

test("a day whose hours were dropped is shown as a whole", async () => {
  const tenant = await createTenant(["Chart"])
  const old = daysAgo(100)
  await chargeAt(tenant, old)
  await rollUpUsage(runtime())
  await dropOldUsage(runtime())
  const usage = await getUsage(runtime(), tenant.actor, { range: { from: dayOf(old), to: dayOf(old) } })
  expect([usage.unit, usage.total.decisions, usage.points.length]).toEqual(["day", 1, 1])
  expect((await getUsage(runtime(), tenant.actor, { range: { days: 1 } })).unit).toBe("hour")
})

test("rows that a transaction has locked are left for the next run, so nobody waits", async () => {
  const tenant = await createTenant(["Locked"])
  await refuse(tenant, daysAgo(95), 5)
  const other = await runtime().pool.connect()
  await other.query("BEGIN")
  await other.query("SELECT 1 FROM request_event WHERE key_id = $1 LIMIT 2 FOR UPDATE", [tenant.keys[0]])
  expect(await dropOldUsage(runtime())).toBe(3 + 4)
  await other.query("COMMIT")
  other.release()
  expect(await dropOldUsage(runtime())).toBe(2)
})

test("`ledger verify` still finds a wrong sum by hour", async () => {
  const tenant = await createTenant(["Verified"])
  await chargeAt(tenant, daysAgo(2))
  await rollUpUsage(runtime())
  const change = (by: number) =>
    app.pool.query("UPDATE usage_sum SET cost_pico = cost_pico + $2 WHERE account_id = $1 AND unit = 'hour'", [
      tenant.actor.accountId,
      by,
    ])
  await change(1)
  const failing = (await verifyLedger(runtime())).checks.filter(({ ok }) => !ok)
  expect(failing.map(({ name }) => name)).toEqual(["usage sums by hour equal those by day"])
  await change(-1)
})

test("an id of a time sorts before every id that is created from then on", () => {
  const at = new Date()
  expect(firstIdAt(at) <= newId()).toBe(true)
  expect(firstIdAt(new Date(at.getTime() + 60_000)) > newId()).toBe(true)
})
