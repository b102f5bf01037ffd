import { beforeEach, expect, test } from "vitest"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { deliverWebhooks } from "./deliver"
import { createEndpoint } from "./endpoints"

const INSERT = `
  INSERT INTO webhook_delivery (id, account_id, endpoint_id, type, source, body, next_at)
  SELECT gen_random_uuid(), $1, $2, 'balance.low', 'test:' || n, '{}', now() - $4 * interval '1 minute' FROM generate_series(1, $3) n`

/** Inserts messages to a new endpoint of a new account, due for this many minutes. */
async function insertDue(url: string, count: number, dueForMinutes: number): Promise<void> {
  const actor = await signUp()
  const { id } = await createEndpoint(runtime(), actor, { url, events: ["balance.low"] })
  await runtime().pool.query(INSERT, [actor.accountId, parsePublicId("whe", id), count, dueForMinutes])
}

let urls: string[] = []
await testRuntime()
const post = async (url: string) => {
  urls.push(url)
  return { status: 204, fault: null }
}
Object.assign(runtime(), { webhooks: { post, close: async () => {} } })
beforeEach(() => {
  urls = []
})

test("many messages to one endpoint do not delay the first ones to another", async () => {
  await insertDue("https://busy.example.com/", 60, 60)
  await insertDue("https://quiet.example.com/", 2, 1)
  await deliverWebhooks(runtime())
  expect(urls).toHaveLength(62)
  expect(urls.lastIndexOf("https://quiet.example.com/")).toBeLessThan(20)
})

test("a new message does not wait for repeated attempts, however many endpoints have them", async () => {
  for (let i = 0; i < 25; i++) await insertDue(`https://dead${i}.example.com/`, 3, 60)
  await runtime().pool.query("UPDATE webhook_delivery SET attempts = 5 WHERE next_at <= now()")
  await insertDue("https://new.example.com/", 1, 0)
  await deliverWebhooks(runtime())
  expect(urls).toHaveLength(76)
  expect(urls.indexOf("https://new.example.com/")).toBeLessThan(20)
})
