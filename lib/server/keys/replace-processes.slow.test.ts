import { setTimeout as sleep } from "node:timers/promises"
import { beforeAll, expect, it } from "vitest"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { printFigure } from "@/test/figures"
import { sendDecision } from "@/test/send-decision"
import { type ServerProcess, startServer } from "@/test/server-process"
import { signUp } from "@/test/sign-up"
import { createKey } from "./create-key"
import { endOldSecret, replaceKey } from "./replace-key"

const { pool, databaseUrl } = await testRuntime()

/** Requests that run at a time at each process. */
const CLIENTS = 2
/** How long before a request another process may have last looked up its secret. */
const RELIED_ON_MS = 1_500

let servers: ServerProcess[] = []
beforeAll(async () => {
  servers = await Promise.all([startServer(databaseUrl), startServer(databaseUrl)])
  await pool.query("UPDATE model SET price_pico = 1000 WHERE id = 'svc-lexical-baseline-1'")
  return () => {
    for (const server of servers) server.signal("SIGTERM")
  }
})

let people = 0
async function newKey() {
  const actor = await signUp(`overlap-${people++}@example.com`)
  await pool.query("UPDATE account SET requests_per_second = 100000, requests_per_second_per_key = 100000")
  return { actor, ...(await createKey(runtime(), actor, { name: "Production", limit: null, expiresAt: null })) }
}

interface Sent {
  secret: string
  /** The place of the process in `servers`. */
  server: number
  sentAt: number
  repliedAt: number
  status: number
}

/** Sends paid requests to both processes until it is stopped. Each client alternates between the secrets. */
function load(first: string) {
  const sent: Sent[] = []
  let secrets = [first]
  let isStopped = false
  const client = async (server: number) => {
    for (let i = 0; !isStopped; i++) {
      const secret = secrets[i % secrets.length] ?? ""
      const sentAt = Date.now()
      const response = await sendDecision(servers[server]?.url ?? "", secret)
      await response.text()
      sent.push({ secret, server, sentAt, repliedAt: Date.now(), status: response.status })
    }
  }
  const clients = servers.flatMap((_, server) => Array.from({ length: CLIENTS }, () => client(server)))
  const since = (at: number, status: number, secret: string) => (_: ServerProcess, server: number) =>
    sent.filter((one) => one.sentAt >= at && one.status === status && one.secret === secret && one.server === server)
      .length
  return {
    sent,
    use(...now: string[]) {
      secrets = now
    },
    /** Waits until each process has replied 20 times with this status to requests with a secret that were sent from now on. */
    async more(status: number, secret: string) {
      const at = Date.now()
      await expect.poll(() => Math.min(...servers.map(since(at, status, secret)))).toBeGreaterThan(20)
    },
    async stop() {
      isStopped = true
      await Promise.all(clients)
    },
  }
}

/** Returns how many requests had each status. */
function statusesOf(sent: readonly Sent[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of sent) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

// A machine that is too busy may fail requests with 500, which neither answers nor refuses them.
const answered = ({ status }: Sent): boolean => status === 200
const refused = ({ status }: Sent): boolean => status === 401

async function chargesOf(id: string): Promise<number> {
  const { rows } = await pool.query(
    "SELECT count(*)::int AS charges FROM ledger_entry WHERE key_id = $1 AND kind = 'charge'",
    [parsePublicId("key", id)],
  )
  return rows[0].charges
}

it("two processes under load refuse nobody until the overlap ends, and answer no request with the old secret that is sent after it", async () => {
  const { actor, id, token: old } = await newKey()
  const requests = load(old)
  await requests.more(200, old)
  const { token: next } = await replaceKey(runtime(), actor, { id, overlapHours: 1 })
  requests.use(old, next)
  // The overlap's hour ends in seconds, but later than what the processes may still rely on.
  const { rows } = await pool.query(
    "UPDATE api_key SET previous_until = ledger_now() + interval '6 s' WHERE id = $1 RETURNING previous_until",
    [parsePublicId("key", id)],
  )
  const end = rows[0].previous_until.getTime()
  await sleep(end - Date.now())
  await requests.more(401, old)
  await requests.more(200, next)
  await requests.stop()

  const { sent } = requests
  const ofOld = sent.filter(({ secret }) => secret === old)
  const within = ofOld.filter(({ repliedAt }) => repliedAt < end)
  const after = ofOld.filter(({ sentAt }) => sentAt >= end)
  const withNext = sent.filter(({ secret }) => secret === next)
  printFigure("replaced over two processes: requests until the end, after it, and with the new secret, by status", {
    within: statusesOf(within),
    after: statusesOf(after),
    next: statusesOf(withNext),
  })
  expect(within.filter(refused)).toEqual([])
  expect(after.filter(answered)).toEqual([])
  expect(withNext.filter(refused)).toEqual([])
  expect(await chargesOf(id)).toBe(sent.filter(answered).length)
})

const ENDS: [string, number, boolean][] = [
  ["is replaced without an overlap", 0, false],
  ["ends before its time", 24, true],
]

it.each(ENDS)(
  "an old secret that %s is refused by both processes under load from 1.5 s on, and the new one by none",
  async (_, overlapHours, isEnded) => {
    const { actor, id, token: old } = await newKey()
    const requests = load(old)
    await requests.more(200, old)
    const { token: next } = await replaceKey(runtime(), actor, { id, overlapHours })
    requests.use(old, next)
    if (isEnded) {
      await requests.more(200, old)
      await requests.more(200, next)
    }
    const before = Date.now()
    if (isEnded) await endOldSecret(runtime(), actor, { id })
    const end = Date.now()
    await requests.more(401, old)
    await sleep(end + RELIED_ON_MS - Date.now())
    await requests.more(401, old)
    await requests.more(200, next)
    await requests.stop()

    const { sent } = requests
    const ofOld = sent.filter(({ secret }) => secret === old)
    const lastAnswered = Math.max(...ofOld.filter(answered).map(({ sentAt }) => sentAt))
    printFigure("last request answered with an old secret, ms after its end", lastAnswered - end)
    if (isEnded) expect(ofOld.filter((one) => one.repliedAt < before && refused(one))).toEqual([])
    expect(ofOld.filter((one) => one.sentAt >= end + RELIED_ON_MS && answered(one))).toEqual([])
    expect(sent.filter((one) => one.secret === next && refused(one))).toEqual([])
    expect(await chargesOf(id)).toBe(sent.filter(answered).length)
  },
)
