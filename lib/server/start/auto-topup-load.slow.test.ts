import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { automatic, chargesOf, mailKinds, TERMS } from "@/test/auto-topup-fixture"
import { PRETEND_TEST_KEY } from "@/test/doubles/stripe/stripe-double"
import { insertKey } from "@/test/insert-rows"
import { sendDecision } from "@/test/send-decision"
import { type ServerProcess, startServer } from "@/test/server-process"
import { dollars, testTopups } from "@/test/topup-fixture"

const BODY = JSON.stringify({
  model: "svc-decider-latest",
  state: "Please refund me.",
  questions: { refund: { type: "noul", instructions: "Does the customer ask for a refund?" } },
})
const CLIENTS = 4
const WITHIN_MS = 90_000

const { databaseUrl, double } = await testTopups()
const servers: ServerProcess[] = []
afterAll(() => {
  for (const server of servers) server.signal("SIGKILL")
})

async function start(): Promise<void> {
  servers.push(
    await startServer(databaseUrl, {
      LOG_LEVEL: "silent",
      STRIPE_SECRET_KEY: PRETEND_TEST_KEY,
      STRIPE_API_BASE: double.url,
    }),
  )
}

async function decide(token: string, index: number): Promise<number> {
  const server = servers[index % servers.length]
  const response = await sendDecision(server?.url ?? "", token, BODY)
  await response.arrayBuffer()
  return response.status
}

test("a balance that falls under load on two processes is charged once, with one mail, and no call is refused", async () => {
  const actor = await automatic(double, { usd: "5.20", terms: { ...TERMS, thresholdUsd: "5" } })
  const { pool } = runtime()
  const { token } = await insertKey(actor.accountId)
  await pool.query("UPDATE account SET requests_per_second = 1000, requests_per_second_per_key = 1000")
  await Promise.all([start(), start()])
  // About 0.1 cents per call: some 200 calls reach the threshold, and thousands more would empty the balance.
  await pool.query("UPDATE model SET price_pico = 100000000 WHERE price_pico IS NOT NULL")

  const statuses: number[] = []
  const until = Date.now() + WITHIN_MS
  let isCharged = false
  const client = async (index: number) => {
    for (let call = index; !isCharged && Date.now() < until; call += CLIENTS) statuses.push(await decide(token, call))
  }
  const watch = async () => {
    while ((await chargesOf(double, actor)).length === 0 && Date.now() < until) await sleep(100)
    isCharged = true
  }
  await Promise.all([watch(), ...Array.from({ length: CLIENTS }, (_, index) => client(index))])
  // Both servers check the balance again meanwhile.
  for (let call = 0; call < 100; call++) statuses.push(await decide(token, call))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await chargesOf(double, actor)).toEqual([2500])
  await expect.poll(() => mailKinds(actor), { timeout: WITHIN_MS }).toEqual(["auto_topup_done"])
  expect(Number(await dollars(actor))).toBeGreaterThan(0)
})
