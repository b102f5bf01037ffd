import { randomInt, randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { checkLedger } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { testRuntime } from "@/test/database"
import { freePort } from "@/test/free-port"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testScale } from "@/test/scale"
import { type ServerProcess, startServer } from "@/test/server-process"

/** With TEST_SCALE=10: 1,000 requests through 20 kills. */
const REQUESTS = 100 * testScale
const KILLS = 2 * testScale
const CLIENTS = 8
const RETRIED = [0, 429, 500, 502, 503, 504]

let databaseUrl: string
let servers: ServerProcess[] = []
/** Settings of each server, so that a killed one starts again at the same address. */
let ports: number[]

const start = (port: number) => startServer(databaseUrl, { PORT: String(port), LOG_LEVEL: "silent" })

beforeAll(async () => {
  databaseUrl = (await testRuntime()).databaseUrl
  ports = [await freePort(), await freePort()]
  servers = []
  for (const port of ports) servers.push(await start(port))
}, 120_000)
afterAll(() => {
  for (const server of servers) server.signal("SIGKILL")
})

/** Kills one of the two servers and starts it again, or ends every connection of the database. */
async function kill(turn: number): Promise<void> {
  if (turn % 2 === 1) {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    return client.end()
  }
  const i = (turn / 2) % 2
  servers[i]?.signal("SIGKILL")
  await servers[i]?.ended
  servers[i] = await start(ports[i] ?? 0)
}

interface Sent {
  /** The responses in order; 0 for a connection that broke. */
  statuses: number[]
  charged: number
}

/** Sends one request until it succeeds, as docs/guide/retries.md says, to either server. */
async function sendUntilAnswered(token: string, i: number): Promise<Sent> {
  const idempotencyKey = randomUUID()
  const body = JSON.stringify({
    model: ALIAS,
    state: `Request ${i}`,
    questions: { q: { type: "noul", instructions: "Is it?" } },
  })
  const sent: Sent = { statuses: [], charged: 0 }
  while (sent.statuses.length < 500) {
    const url = `http://127.0.0.1:${ports[randomInt(2)]}/v1/${randomInt(2) ? "decisions" : "systemone"}`
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      "idempotency-key": idempotencyKey,
    }
    // Some clients leave before the answer, which they then ask for again.
    const signal = AbortSignal.timeout(randomInt(10) === 0 ? randomInt(1, 30) : 60_000)
    const response = await fetch(url, { method: "POST", headers, body, signal }).catch(() => null)
    const read = await response?.text().catch(() => null)
    const status = response && read !== null ? response.status : 0
    sent.statuses.push(status)
    if (status === 200 && !response?.headers.has("idempotent-replayed")) sent.charged++
    if (!RETRIED.includes(status)) return sent
    await sleep(status === 429 ? 1_000 : 100)
  }
  return sent
}

test(
  `${REQUESTS} requests with retries through ${KILLS} kills of servers and connections are charged exactly once each`,
  async () => {
    const { accountId, token } = await insertFastKey(10n ** 15n)
    const results: Sent[] = []
    let next = 0
    let killed = 0
    const client = async () => {
      while (next < REQUESTS) results.push(await sendUntilAnswered(token, next++))
    }
    const killing = async () => {
      for (; killed < KILLS; killed++) {
        while (results.length < ((killed + 1) * REQUESTS) / (KILLS + 2)) await sleep(10)
        await kill(killed)
      }
    }
    await Promise.all([killing(), ...Array.from({ length: CLIENTS }, client)])
    expect(killed).toBe(KILLS)
    expect(results.map(({ statuses }) => statuses.at(-1))).toEqual(Array(REQUESTS).fill(200))
    expect(results.some(({ statuses }) => statuses.includes(0))).toBe(true)
    expect(await moneyOf(accountId)).toMatchObject({ charges: REQUESTS })
    const broken = (await checkLedger(runtime().pool)).filter(({ ok }) => !ok)
    expect(broken).toEqual([])
  },
  180_000 * testScale,
)
