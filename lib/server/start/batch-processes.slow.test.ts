import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, it } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { testRuntime } from "@/test/database"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { freePort } from "@/test/free-port"
import { insertFastKey, insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { sendDecision } from "@/test/send-decision"
import { type ServerProcess, startServer } from "@/test/server-process"

/** Three processes start on a machine that may be busy. */
const SLOW_START_MS = 150_000
const TEN_USD = 10_000_000_000_000n
const DECIMALS = 1_000_000_000_000n
const QUESTIONS = { late: { type: "noul", instructions: "Was it late?" } }

const { pool, databaseUrl } = await testRuntime()
const llama = await startLlamaCpp({ slots: 4 })
const servers: ServerProcess[] = []
afterAll(async () => {
  for (const { signal } of servers) signal("SIGTERM")
  await Promise.all(servers.map(({ ended }) => ended))
  await llama.stop()
})

const { token: probing } = await insertFastKey(TEN_USD)

/** Starts a server, and waits until its engine answers. */
async function start(settings: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer(databaseUrl, { ENGINE_URL: llama.url, ...settings }, SLOW_START_MS)
  servers.push(server)
  const status = async () => (await sendDecision(server.url, probing)).status
  await expect.poll(status, { timeout: SLOW_START_MS, interval: 200 }).toBe(200)
  return server
}

async function send(server: ServerProcess, token: string, count: number, headers: Record<string, string> = {}) {
  const states = Array.from({ length: count }, (_, i) => `Parcel ${String(i).padStart(2, "0")}`)
  const response = await fetch(`${server.url}/v1/systemone/batch`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: ALIAS, questions: QUESTIONS, states }),
  })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

it("a batch through two kills of the server charges each state once, and each retry only the rest", async () => {
  const STATES = 12
  const { accountId, token } = await insertFastKey(TEN_USD)
  const settings = { PORT: String(await freePort()) }
  let server = await start(settings)
  /** Sends the batch until no lost claim keeps it waiting. Returns null when the server was killed. */
  const sendBatch = async () => {
    for (;;) {
      const sent = await send(server, token, STATES, { "idempotency-key": "k" }).catch(() => null)
      if (sent?.status !== 429) return sent
      await sleep(500)
    }
  }
  const charges = async () => (await moneyOf(accountId)).charges
  const spent = async () => TEN_USD - (await moneyOf(accountId)).balance
  for (const [answered, least] of [
    [3, 3],
    [7, 4],
  ] as const) {
    let left = answered
    llama.fault = {
      kind: "held",
      // Of the states, the first ones are answered. Probes are not held.
      get until() {
        const isState = llama.requests.at(-1)?.body.includes("Parcel")
        return isState && left-- <= 0 ? new Promise<void>(() => {}) : Promise.resolve()
      },
    }
    const sent = sendBatch()
    await expect.poll(charges).toBeGreaterThanOrEqual(least)
    server.signal("SIGKILL")
    await server.ended
    expect(await sent).toBeNull()
    llama.fault = null
    server = await start(settings)
  }
  const [before, paid] = [await charges(), await spent()]
  expect(before).toBeLessThan(STATES)
  const last = await sendBatch()
  expect([last?.status, last?.body.includes("error"), last?.headers.get("idempotent-replayed")]).toEqual([
    200,
    false,
    "true",
  ])
  expect(await charges()).toBe(STATES)
  const { rows } = await pool.query(
    "SELECT count(DISTINCT hold_id)::int AS holds FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'",
    [accountId],
  )
  expect(rows).toEqual([{ holds: STATES }])
  const cost = (await spent()) - paid
  expect(cost).toBeGreaterThan(0n)
  expect(last?.headers.get("x-svc-cost-usd")).toBe(
    `${cost / DECIMALS}.${(cost % DECIMALS).toString().padStart(12, "0")}`,
  )
  expect((await sendBatch())?.headers.get("x-svc-cost-usd")).toBe("0.000000000000")
  expect(await moneyOf(accountId)).toMatchObject({ held: 0n, charges: STATES })
  expect((await verifyLedger(runtime())).checks.filter((check) => !check.ok)).toEqual([])
}, 400_000)

it("a batch at one of two workers closes the windows of both until it is paid off", async () => {
  const server = await start({ API_WORKERS: "2", PORT: String(await freePort()) })
  const { accountId, token } = await insertPayer({ balancePico: TEN_USD })
  await pool.query("UPDATE account SET requests_per_second = 40, requests_per_second_per_key = 5 WHERE id = $1", [
    accountId,
  ])
  const second = () => Math.floor(Date.now() / 1_000)
  const sentAt = second()
  // 64 states fill the windows of 12 seconds and four places of the next.
  expect((await send(server, token, 64)).status).toBe(200)
  const replies: { status: number; at: number; id: string | null }[] = []
  /** Sends a request on a connection of its own. Returns its status. */
  const ask = async () => {
    const { status, headers } = await sendDecision(server.url, token, undefined, { connection: "close" })
    replies.push({ status, at: second(), id: headers.get("x-request-id") })
    return status
  }
  const refusedBy = async () => {
    await Promise.all(Array.from({ length: 20 }, ask))
    const refused = new Set(replies.filter(({ status }) => status === 429).map(({ id }) => id))
    const lines = server
      .written()
      .split("\n")
      .filter((line) => line.startsWith("{"))
    const workers = lines.map((line) => JSON.parse(line)).filter(({ requestId }) => refused.has(requestId))
    return [...new Set(workers.map(({ worker }) => worker as number))].sort()
  }
  await expect.poll(refusedBy).toEqual([1, 2])
  await expect.poll(ask, { interval: 100 }).toBe(200)
  const admittedAt = replies.filter(({ status }) => status === 200).map(({ at }) => at - sentAt)
  expect(Math.min(...admittedAt)).toBeGreaterThanOrEqual(12)
})
