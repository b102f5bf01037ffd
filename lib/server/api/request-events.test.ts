import { expect, test } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { getUsage } from "@/lib/server/usage/get-usage"
import { listRequests } from "@/lib/server/usage/list-requests"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertFastKey } from "@/test/insert-rows"
import { testService } from "@/test/service"
import { createTenant } from "@/test/tenant"
import { createRequestEvents } from "./request-events"

const service = await testService()

const LATELY = { range: { days: 2 } }
const eventRows = async (keyId: string | undefined) =>
  (await service.runtime.pool.query("SELECT status FROM request_event WHERE key_id = $1", [keyId])).rowCount

test("2,000 refused requests of one key in a second are 10 rows, and all count in the usage", async () => {
  const tenant = await createTenant(["Loop", "Other"])
  const { accountId } = tenant.actor
  const events = createRequestEvents(service.runtime.pool, service.runtime.log, service.runtime.metrics)
  const at = new Date()
  at.setUTCMilliseconds(0)
  const add = (keyId: string | undefined, code: string, time = at) =>
    events.add({
      requestId: newId(),
      actor: { accountId, keyId: keyId ?? "" },
      model: null,
      status: 400,
      code,
      latencyMs: 1,
      at: time,
    })
  for (let i = 0; i < 1_500; i++) add(tenant.keys[0], "invalid_request")
  for (let i = 0; i < 500; i++) add(tenant.keys[0], "invalid_model")
  for (let i = 0; i < 30; i++) add(tenant.keys[1], "invalid_model")
  await events.flush()
  expect([await eventRows(tenant.keys[0]), await eventRows(tenant.keys[1])]).toEqual([10, 10])
  const usage = await getUsage(runtime(), tenant.actor, LATELY)
  expect(usage.total.refused).toBe(2_030)
  expect(usage.errors).toEqual([
    { status: 400, code: "invalid_request", requests: 1_500 },
    { status: 400, code: "invalid_model", requests: 530 },
  ])
  expect(usage.keys.map(({ name, refused }) => [name, refused]).toSorted()).toEqual([
    ["Loop", 2_000],
    ["Other", 30],
  ])
  expect(usage.models.map(({ id, refused }) => [id, refused])).toEqual([[null, 2_030]])

  for (let i = 0; i < 12; i++) add(tenant.keys[0], "invalid_request", new Date(at.getTime() - 1_000))
  await events.flush()
  expect(await eventRows(tenant.keys[0])).toBe(20)
  expect((await listRequests(runtime(), tenant.actor, LATELY)).requests).toHaveLength(30)
})

test("an account's keys together get 20 rows a second", async () => {
  const tenant = await createTenant(["a", "b", "c", "d"])
  const events = createRequestEvents(service.runtime.pool, service.runtime.log, service.runtime.metrics)
  const at = new Date()
  for (let i = 0; i < 40; i++)
    events.add({
      requestId: newId(),
      actor: { accountId: tenant.actor.accountId, keyId: tenant.keys[i % 4] ?? "" },
      model: null,
      status: 429,
      code: "rate_limited",
      latencyMs: 1,
      at,
    })
  await events.flush()
  const { rowCount } = await service.runtime.pool.query("SELECT 1 FROM request_event WHERE account_id = $1", [
    tenant.actor.accountId,
  ])
  expect(rowCount).toBe(20)
  expect((await getUsage(runtime(), tenant.actor, LATELY)).total.refused).toBe(40)
})

test("requests over HTTP are bounded in the same way", async () => {
  const { accountId, token } = await insertFastKey()
  const startedAt = Math.floor(Date.now() / 1_000)
  const bodies = Array.from({ length: 200 }, () => service.decide(token, { model: ALIAS }))
  for (const response of await Promise.all(bodies)) expect(response.status).toBe(400)
  const seconds = Math.floor(Date.now() / 1_000) - startedAt + 1
  await service.runtime.events.flush()
  const rows = await service.runtime.pool.query("SELECT 1 FROM request_event WHERE account_id = $1", [accountId])
  expect(rows.rowCount).toBeLessThanOrEqual(10 * seconds)
  const total = await service.runtime.pool.query(
    `SELECT sum(requests)::int AS n FROM usage_error WHERE account_id = $1 AND unit = 'day' AND model_id = '*'
       AND key_id = '00000000-0000-0000-0000-000000000000'`,
    [accountId],
  )
  expect(total.rows).toEqual([{ n: 200 }])
})
