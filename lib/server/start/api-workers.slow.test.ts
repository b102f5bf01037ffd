import { readFileSync } from "node:fs"
import * as http from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { seedModels } from "@/lib/server/models/seed-models"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertFastKey, insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { listen } from "@/test/listen"
import { startServer } from "@/test/server-process"

const { pool, databaseUrl } = await testRuntime()
const BODY =
  '{"model":"svc-lexical-baseline-1","state":"The parcel arrived late.","questions":{"late":{"type":"noul","instructions":"Was it late?"}}}'

/** Three processes start on a machine that may be busy. */
const SLOW_START_MS = 150_000

await seedModels(runtime(), null)
await pool.query("UPDATE model SET price_pico = 4000000000 WHERE id = 'svc-lexical-baseline-1'")
const server = await startServer(databaseUrl, { API_WORKERS: "2" }, SLOW_START_MS)

interface Reply {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
}

/** A client with a connection of its own. */
class Client {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

  ask(path: string, { method = "GET", token = "", body = "" } = {}): Promise<Reply> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    return new Promise((resolve, reject) => {
      const request = http.request(server.url + path, { agent: this.#agent, method, headers }, async (response) => {
        let text = ""
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
      })
      request.once("error", reject)
      request.end(body)
    })
  }

  decide(token: string): Promise<Reply> {
    return this.ask("/v1/decisions", { method: "POST", token, body: BODY })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Returns the number of the worker that logged each of these requests. */
async function workersOf(requestIds: string[]): Promise<number[]> {
  const find = () => {
    const lines = server
      .written()
      .split("\n")
      .filter((line) => line.startsWith("{"))
    const known = new Map(lines.map((line) => JSON.parse(line)).map(({ requestId, worker }) => [requestId, worker]))
    return requestIds.map((id) => known.get(id) as number | undefined)
  }
  return vi.waitFor(() => {
    const found = find()
    expect(found, server.written().slice(-4_000)).not.toContain(undefined)
    return found as number[]
  }, 120_000)
}

/** Opens connections until each worker has at least `least` of them, and `count` in all. */
async function openClients(count: number, least: number): Promise<Client[]> {
  const byWorker: Client[][] = [[], []]
  while (byWorker.flat().length < count || byWorker.some((clients) => clients.length < least)) {
    const clients = Array.from({ length: 20 }, () => new Client())
    const replies = await Promise.all(clients.map((client) => client.ask("/v1/unknown")))
    const workers = await workersOf(replies.map(({ headers }) => String(headers["x-request-id"])))
    clients.forEach((client, i) => void byWorker[(workers[i] ?? 1) - 1]?.push(client))
  }
  const first = byWorker.flatMap((clients) => clients.slice(0, least))
  return [...first, ...byWorker.flatMap((clients) => clients.slice(least))].slice(0, count)
}

/** Lets all clients send decisions until `isOver`. Returns how many replies had each status, 0 for none. */
async function load(clients: Client[], token: string, isOver: () => boolean): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  const send = async (client: Client) => {
    while (!isOver()) {
      const status = await client.decide(token).then(
        (reply) => reply.status,
        () => 0,
      )
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(clients.map(send))
  return counts
}

const second = () => Math.floor(Date.now() / 1_000)

/**
 * Sends one request from each client at the start of a clock second. Returns the replies and over how many seconds they
 * spread. Tries up to five times for one second.
 */
async function burst(clients: Client[], send: (client: Client) => Promise<Reply>) {
  for (let attempt = 1; ; attempt++) {
    const before = second()
    await expect.poll(second, { interval: 5 }).toBeGreaterThan(before)
    const from = second()
    const replies = await Promise.all(clients.map(send))
    const seconds = second() - from + 1
    if (seconds === 1 || attempt === 5) return { replies, seconds }
  }
}

const metric = async (client: Client, line: RegExp): Promise<number> =>
  Number(line.exec((await client.ask("/metrics")).body)?.[1])

/** Returns the process ids of the workers. */
function workerPids(): number[] {
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").trim().split(" ").map(Number)
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("api-worker"))
}

describe("two workers on one port", () => {
  let clients: Client[]
  beforeAll(async () => {
    clients = await openClients(60, 10)
    return () => clients.forEach((client) => void client.close())
  })

  it("admit exactly a key's limit in each second of 60 concurrent requests, and number them in the headers", async () => {
    const { accountId, token } = await insertPayer({ balancePico: 1_000_000_000_000_000n })
    await pool.query("UPDATE account SET requests_per_second = 40, requests_per_second_per_key = 5 WHERE id = $1", [
      accountId,
    ])
    const { replies, seconds } = await burst(clients, (client) => client.decide(token))
    const left = (status: number) =>
      replies.filter((reply) => reply.status === status).map(({ headers }) => Number(headers["x-ratelimit-remaining"]))
    const admitted = left(200)
    // How many admitted requests had each remaining count. The first request of a second has 4 left.
    const numbered = [4, 3, 2, 1, 0].map((number) => admitted.filter((one) => one === number).length)
    expect(numbered).toEqual(numbered.toSorted((a, b) => b - a))
    expect(numbered[0]).toBeLessThanOrEqual(seconds)
    expect(numbered[4]).toBeGreaterThan(0)
    expect(new Set(left(429))).toEqual(new Set([0]))
    expect(admitted.length + left(429).length).toBe(60)
    expect(new Set(replies.map(({ headers }) => headers["x-ratelimit-limit"]))).toEqual(new Set(["5"]))
  })

  it("count the requests of an address together", async () => {
    const { replies, seconds } = await burst(clients, (client) => client.ask("/v1/models"))
    const admitted = replies.filter(({ status }) => status === 200).length
    expect(admitted).toBeGreaterThanOrEqual(5)
    expect(admitted).toBeLessThanOrEqual(5 * seconds)
  })

  it("charge exactly 50 of 1,000 requests on the credit of 50", async () => {
    const { token: rich } = await insertFastKey(1_000_000_000_000_000n)
    const costPico = async () => {
      const { body } = await (clients[0] as Client).decide(rich)
      return BigInt((JSON.parse(body) as { usage: { input_tokens: number } }).usage.input_tokens) * 4_000_000_000n
    }
    const { accountId, token } = await insertFastKey(50n * (await costPico()))
    let left = 1_000
    expect(await load(clients, token, () => left-- <= 0)).toEqual({ 200: 50, 402: 950 })
    expect(await moneyOf(accountId)).toMatchObject({ balance: 0n, held: 0n, charges: 50 })
  })

  it("show the sum of both, and how many workers are ready, in their metrics", async () => {
    const unknown = /^svc_requests_total\{route="\/v1\/decisions",status="401",code="invalid_api_key"\} (\d+)$/m
    const [first, last] = [clients[0] as Client, clients.at(-1) as Client]
    await Promise.all(clients.map((client) => client.decide("svcd_unknown")))
    // A process that does not report its numbers within a second is left out of a scrape.
    for (const one of [first, last]) await expect.poll(() => metric(one, unknown)).toBe(clients.length)
    expect(await metric(last, /^svc_api_workers_ready (\d)$/m)).toBe(2)
  })

  it("answer on while one is killed under load, which comes back, and the ledger agrees with every 200", async () => {
    const { accountId, token } = await insertFastKey(1_000_000_000_000_000n)
    const killed = workerPids()[0] as number
    let isOver = false
    const loads = load(clients, token, () => isOver)
    const charges = async () => (await moneyOf(accountId)).charges
    await expect.poll(charges).toBeGreaterThan(100)
    process.kill(killed, "SIGKILL")
    await expect.poll(server.written).toContain('"event":"worker.ended"')
    const atKill = await charges()
    expect((await new Client().ask("/readyz")).status).toBe(200)
    await expect.poll(charges).toBeGreaterThan(atKill + 100)
    await expect.poll(() => metric(new Client(), /^svc_api_workers_ready (\d)$/m)).toBe(2)
    isOver = true
    const { 200: answered = 0, 0: cut = 0, ...others } = await loads
    expect(others).toEqual({})
    // A charge without its 200 belongs to a request whose connection was cut.
    expect(await charges()).toBeGreaterThanOrEqual(answered)
    expect(await charges()).toBeLessThanOrEqual(answered + cut)
    expect(workerPids()).not.toContain(killed)
    expect((await verifyLedger(runtime())).checks.filter((check) => !check.ok)).toEqual([])
  })

  it("are not ended by the signal of a closed terminal, because the supervisor stops them", async () => {
    const pids = workerPids()
    for (const pid of pids) process.kill(pid, "SIGHUP")
    await sleep(500)
    expect(workerPids()).toEqual(pids)
  })

  it("send the response of every request that they read, and charge no other, while they stop", async () => {
    const { accountId, token } = await insertFastKey(1_000_000_000_000_000n)
    const refused: string[] = []
    const counts: Record<number, number> = {}
    const client = async () => {
      while (refused.length === 0) {
        const fresh = new Client()
        try {
          const { status } = await fresh.decide(token)
          counts[status] = (counts[status] ?? 0) + 1
        } catch (error) {
          refused.push(String((error as NodeJS.ErrnoException).code))
        }
        fresh.close()
      }
    }
    const loads = Promise.all(Array.from({ length: 6 }, client))
    await expect.poll(() => counts[200] ?? 0).toBeGreaterThan(50)
    server.signal("SIGTERM")
    await loads
    expect(await server.ended).toBe(0)
    expect(Object.keys(counts)).toEqual(["200"])
    // The kernel resets connections that no worker had accepted.
    for (const code of refused) expect(["ECONNREFUSED", "ECONNRESET"]).toContain(code)
    expect((await moneyOf(accountId)).charges).toBe(counts[200])
  })
})

it(
  "a port that is in use is one line",
  async () => {
    const other = http.createServer((_request, response) => response.writeHead(503).end())
    const PORT = new URL(await listen(other)).port
    await expect(startServer(databaseUrl, { API_WORKERS: "2", PORT }, SLOW_START_MS)).rejects.toThrow(
      `the server did not start: Could not start: The worker did not start: bind EADDRINUSE 127.0.0.1:${PORT}. Set PORT to a free one\n`,
    )
  },
  2 * SLOW_START_MS,
)
