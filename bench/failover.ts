/**
 * Rehearses the loss of the primary of three PostgreSQL servers under Patroni with synchronous replication, while two API servers answer
 * paid requests through HAProxy: the primary is killed, stopped, or frozen, in turns. Prints for each kind how long no request was
 * answered, and compares the numbers of answers and of charges. Fails when they differ, or when a key passes its limit. Needs the Debian packages
 * patroni, etcd-server, haproxy and postgresql. ROUNDS sets the number of rounds of each kind.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"
import { insertFastKey, insertKey } from "../test/insert-rows"
import { AUTH_SECRET, withRuntime } from "./support/accounts"
import { startService } from "./support/built-service"
import { median } from "./support/load"
import { missingPackages, PatroniCluster } from "./support/patroni"
import { startHelper } from "./support/processes"
import { decisionBody } from "./support/requests"

const ROUNDS = Number(process.env.ROUNDS || 10)
const PER_SECOND = 50
/** Every fifth request has a key whose limit ends while the primary is lost. */
const LIMITED_EVERY = 5
const LIMIT_REQUESTS = 60n
const BALANCE_PICO = 1_000_000_000_000_000n
const BEFORE_MS = 3_000
const AFTER_MS = 3_000
const ANSWERED_WITHIN_MS = 90_000
const SETTLED_WITHIN_MS = 20_000
const KINDS = ["killed", "stopped", "frozen"] as const

type Kind = (typeof KINDS)[number]

interface Reply {
  sentAt: number
  endedAt: number
  /** 0 when the connection ended without a response. */
  status: number
}

interface Round {
  kind: Kind
  /** The longest time without an answer, from before the loss to the end of the load. */
  seconds: number
  replies: Reply[]
  /** Those that were not reversed. */
  charges: number
  /** Charges whose answer was not sent, because the database was lost between them. */
  reversed: number
  isOverLimit: boolean
}

/** The load of one round, on both servers in turns. */
class Requests {
  readonly replies: Reply[] = []
  readonly #pending: Promise<void>[] = []
  readonly #timer: NodeJS.Timeout

  constructor(ports: number[], tokenOf: (n: number) => string) {
    let n = 0
    this.#timer = setInterval(() => {
      n++
      this.#pending.push(this.#send(ports[n % ports.length] ?? 0, tokenOf(n), decisionBody(n)))
    }, 1_000 / PER_SECOND)
  }

  async #send(port: number, token: string, body: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const sentAt = performance.now()
    const status = await fetch(`http://127.0.0.1:${port}/v1/decisions`, { method: "POST", headers, body }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0,
    )
    this.replies.push({ sentAt, endedAt: performance.now(), status })
  }

  async untilAnswered(since: number): Promise<void> {
    for (const until = since + ANSWERED_WITHIN_MS; performance.now() < until; await sleep(20))
      if (this.replies.some(({ sentAt, status }) => status === 200 && sentAt > since)) return
    throw new Error("no request was answered again")
  }

  async end(): Promise<Reply[]> {
    clearInterval(this.#timer)
    await Promise.all(this.#pending)
    return this.replies
  }
}

/** Takes the primary away. Returns what brings it back. */
async function lose(cluster: PatroniCluster, kind: Kind): Promise<() => void> {
  const primary = await cluster.primary()
  if (kind === "frozen") return cluster.freeze(primary)
  if (kind === "killed") cluster.kill(primary)
  else await cluster.halt(primary)
  return () => cluster.restart(primary)
}

/** Returns the longest time between two answers in seconds. */
function longestGap(replies: Reply[]): number {
  const answered = replies.filter(({ status }) => status === 200).map(({ endedAt }) => endedAt)
  const times = answered.toSorted((a, b) => a - b)
  return Math.max(...times.slice(1).map((time, i) => time - (times[i] ?? time))) / 1_000
}

/** An account, and one of its keys. */
interface Spender {
  accountId: string
  keyId: string
}

/** Creates the two keys of a round: one without a limit, and one with a limit of some requests. */
async function createKeys(limitPico: bigint): Promise<Spender & { tokens: [string, string] }> {
  const { accountId, token } = await insertFastKey(BALANCE_PICO)
  const limited = await insertKey(accountId, { limitPico })
  return { accountId, keyId: limited.keyId, tokens: [token, limited.token] }
}

interface Charged {
  /** Charges that were not reversed. */
  kept: number
  reversed: number
  limitedPico: bigint
}

const CHARGED = `
  SELECT count(*) FILTER (WHERE e.kind = 'charge')::int AS charged, count(*) FILTER (WHERE s.source LIKE 'undo:%')::int AS reversed,
    coalesce(-sum(e.amount_pico) FILTER (WHERE e.kind = 'charge' AND e.key_id = $2), 0)::text AS limited
  FROM ledger_entry e LEFT JOIN ledger_source s ON s.entry_id = e.id AND s.account_id = e.account_id WHERE e.account_id = $1`

/** Returns what an account was charged, and a key of it, once as many charges as answers stand. Otherwise after 20 seconds. */
async function chargesOf({ accountId, keyId }: Spender, answers: number): Promise<Charged> {
  for (const until = Date.now() + SETTLED_WITHIN_MS; ; await sleep(500)) {
    const { rows } = await runtime().pool.query(CHARGED, [accountId, keyId])
    const { charged, reversed, limited } = rows[0]
    if (charged - reversed === answers || Date.now() > until)
      return { kept: charged - reversed, reversed, limitedPico: BigInt(limited) }
  }
}

async function playRound(cluster: PatroniCluster, kind: Kind, ports: number[], costPico: bigint): Promise<Round> {
  const limitPico = costPico * LIMIT_REQUESTS
  const spender = await withRuntime(cluster.url, () => createKeys(limitPico))
  const requests = new Requests(ports, (n) => spender.tokens[n % LIMITED_EVERY === 0 ? 1 : 0])
  await sleep(BEFORE_MS)
  const bringBack = await lose(cluster, kind)
  await requests.untilAnswered(performance.now())
  await sleep(AFTER_MS)
  bringBack()
  await sleep(AFTER_MS)
  const replies = await requests.end()
  await cluster.untilHealthy()
  const answers = replies.filter(({ status }) => status === 200).length
  const { kept, reversed, limitedPico } = await withRuntime(cluster.url, () => chargesOf(spender, answers))
  return { kind, seconds: longestGap(replies), replies, charges: kept, reversed, isOverLimit: limitedPico > limitPico }
}

function print(kind: Kind, rounds: Round[]): void {
  const seconds = rounds.map((round) => round.seconds)
  const statuses = rounds.flatMap(({ replies }) => replies.map(({ status }) => status))
  const answers = statuses.filter((status) => status === 200).length
  const [charges, reversed] = [
    rounds.reduce((sum, round) => sum + round.charges, 0),
    rounds.reduce((sum, round) => sum + round.reversed, 0),
  ]
  const others = [...new Set(statuses)].filter((status) => status !== 200).sort()
  const refused = others.map((status) => `${statuses.filter((each) => each === status).length} × ${status || "closed"}`)
  const wrong = rounds.reduce((sum, round) => sum + Math.abs(round.charges - answered(round)), 0)
  console.log(
    `  ${kind.padEnd(8)} × ${rounds.length}: without an answer for ${median(seconds).toFixed(1)} s (median), ${Math.max(...seconds).toFixed(1)} s (worst); ` +
      `${answers} answers, ${charges} charges beside ${reversed} reversed, wrong ${wrong}; refused ${refused.join(", ") || "none"}`,
  )
  if (wrong > 0 || rounds.some(({ isOverLimit }) => isOverLimit)) process.exitCode = 1
  for (const { isOverLimit } of rounds) if (isOverLimit) console.log("  WRONG: a key passed its limit")
}

const answered = ({ replies }: Round): number => replies.filter(({ status }) => status === 200).length

/** Returns what one request of the load costs, which the first one shows. */
async function costOfOne(url: string, port: number): Promise<bigint> {
  const { token, ...spender } = await withRuntime(url, () => insertFastKey(BALANCE_PICO))
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const response = await fetch(`http://127.0.0.1:${port}/v1/decisions`, {
    method: "POST",
    headers,
    body: decisionBody(0),
  })
  if (response.status !== 200) throw new Error(`the first request was answered with ${response.status}`)
  return (await withRuntime(url, () => chargesOf(spender, 1))).limitedPico
}

const missing = missingPackages()
if (missing.length > 0) {
  console.log(`Missing: the Debian packages ${missing.join(", ")}.`)
  process.exit(1)
}
const cluster = await PatroniCluster.start()
const engine = await startHelper("engine-double")
const settings = { DATABASE_URL: cluster.url, AUTH_SECRET, SERVE: "api", ENGINE_URL: `http://127.0.0.1:${engine.port}` }
const first = await startService({ ...settings, AUTO_MIGRATE: "1" })
const second = await startService(settings)
try {
  const ports = [first.port, second.port]
  const costPico = await costOfOne(cluster.url, first.port)
  console.log(`${PER_SECOND} requests arrive per second at two servers; ${ROUNDS} rounds of each kind`)
  const rounds: Round[] = []
  for (let i = 0; i < ROUNDS; i++)
    for (const kind of KINDS) {
      const round = await playRound(cluster, kind, ports, costPico)
      console.log(
        `    round ${i + 1}, ${kind}: ${round.seconds.toFixed(1)} s, ${answered(round)} answers, ${round.charges} charges`,
      )
      rounds.push(round)
    }
  for (const kind of KINDS)
    print(
      kind,
      rounds.filter((round) => round.kind === kind),
    )
  const { checks } = await withRuntime(cluster.url, () => verifyLedger(runtime()))
  const failed = checks.filter(({ ok }) => !ok)
  console.log(`  the ledger: ${failed.length === 0 ? "all checks pass" : JSON.stringify(failed)}`)
  if (failed.length > 0) process.exitCode = 1
} finally {
  await second.stop()
  await first.stop()
  await engine.stop()
  await cluster.stop()
}
