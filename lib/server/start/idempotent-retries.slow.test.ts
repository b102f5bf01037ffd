import { randomInt, randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { afterAll, expect, test } from "vitest"
import { checkLedger } from "@/lib/server/ledger/verify-ledger"
import { openPool } from "@/lib/server/platform/db/connect"
import { startEmbedded } from "@/lib/server/platform/db/embedded"
import { migrate } from "@/lib/server/platform/db/migrate"
import { readEnv } from "@/lib/server/platform/env"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { afterFile } from "@/test/after-file"
import { freePort } from "@/test/free-port"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import type { Cluster } from "@/test/postgres-cluster"
import { testScale } from "@/test/scale"
import { type ServerProcess, startServer } from "@/test/server-process"
import { tempFolder } from "@/test/temp-folder"
import { createRuntime } from "./create-runtime"

/** With TEST_SCALE=10: 1,000 requests through 20 kills. */
const REQUESTS = 100 * testScale
const KILLS = 2 * testScale
const CONNECTIONS = 5
const CLIENTS = 8
const RETRIED = [0, 429, 500, 502, 503, 504]

/** The port of each server. A killed one starts again on the same port. */
const ports = [await freePort(), await freePort()]

const start = (port: number) => startServer(databaseUrl, { PORT: String(port), LOG_LEVEL: "silent" })

const databaseUrl = await startCrashableDatabase()
const servers: ServerProcess[] = []
for (const port of ports) servers.push(await start(port))
afterAll(() => {
  for (const server of servers) server.signal("SIGKILL")
})

/** Starts a PostgreSQL that writes to the disk, and installs a runtime on it. Returns the database's URL. */
async function startCrashableDatabase(): Promise<string> {
  const dir = tempFolder()
  const embedded = await startEmbedded(dir, "command", ["max_connections=100"])
  const { host, port, user } = embedded.config as Cluster
  const pool = openPool({ host, port, user, database: "postgres", max: CONNECTIONS })
  await migrate(pool)
  const env = readEnv({ NODE_ENV: "test", LOG_LEVEL: "silent", AUTH_SECRET: "a-secret-for-tests-of-32-characters" })
  const made = await createRuntime(env, pool, { role: "command" })
  installRuntime(made.runtime)
  afterFile(async () => {
    await made.close()
    await pool.end()
    await embedded.release()
  })
  return `postgresql://${user}@localhost:${port}/postgres?host=${encodeURIComponent(host)}`
}

/** Kills a process of PostgreSQL, which then ends all others and recovers from its log. */
async function crashDatabase(): Promise<void> {
  const client = new pg.Client(databaseUrl)
  client.on("error", () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
  process.kill(rows[0]?.pid ?? 0, "SIGKILL")
  await client.end().catch(() => {})
}

/** Kills one of the two servers and starts it again, or crashes the database. */
async function kill(turn: number): Promise<void> {
  if (turn % 2 === 1) return crashDatabase()
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
  `${REQUESTS} requests with retries through ${KILLS} kills of servers and database are charged exactly once each`,
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
    // Each connection of the pool ends with the database, and the pool finds that out one by one.
    const { pool } = runtime()
    const works = () =>
      Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query("SELECT"))).then(
        () => true,
        () => false,
      )
    await expect.poll(works).toBe(true)
    expect(results.some(({ statuses }) => statuses.includes(0))).toBe(true)
    expect(await moneyOf(accountId)).toMatchObject({ charges: REQUESTS })
    const broken = (await checkLedger(pool)).filter(({ ok }) => !ok)
    expect(broken).toEqual([])
  },
  180_000 * testScale,
)
