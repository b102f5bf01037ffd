/**
 * Measures the usage page's verbs on an account with a million requests. Reports the time of each range and filter, the time of
 * the whole page, and PostgreSQL's plans. Fails when a statement reads a big table sequentially or a page is too slow.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { listKeys } from "@/lib/server/keys/read-keys"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import { findRequest } from "@/lib/server/usage/find-request"
import { getUsage } from "@/lib/server/usage/get-usage"
import { listDailySpend } from "@/lib/server/usage/list-daily-spend"
import { listRequests } from "@/lib/server/usage/list-requests"
import { rollUpUsage } from "@/lib/server/usage/roll-up-usage"
import type { RequestsInput } from "@/lib/server/usage/schema"
import { insertAccount } from "../test/insert-rows"
import { withRuntime } from "./support/accounts"
import { explainQueries } from "./support/explain-queries"
import { seedUsage } from "./support/seed-usage"

const CHARGES = Number(process.env.CHARGES || 900_000)
const EVENTS = Math.round(CHARGES / 9)
const DAYS = 90
/** Charges that are not in the sums yet, as on a busy account between two runs of the roll-up job. */
const TAIL = 2_000
const ROUNDS = Number(process.env.ROUNDS || 40)
const GOAL_MS = 100
const MODELS = ["usage-a-1", "usage-b-1", "usage-c-1"]

type Work = () => Promise<unknown>

const quantile = (sorted: number[], share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0

/** Returns the minimum, the median and the 95th percentile in milliseconds, after three warm-up rounds. */
async function timed(work: Work): Promise<{ minimum: number; p50: number; p95: number }> {
  const times: number[] = []
  for (let round = -3; round < ROUNDS; round++) {
    const startedAt = performance.now()
    await work()
    if (round >= 0) times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  return { minimum: times[0] ?? 0, p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
}

/** Returns work that reads everything that the page reads. */
const pageOf = (actor: UserActor, input: RequestsInput): Work => {
  return () =>
    Promise.all([listKeys(runtime(), actor), getUsage(runtime(), actor, input), listRequests(runtime(), actor, input)])
}

async function workByName(actor: UserActor, keys: string[]): Promise<Record<string, Work>> {
  const [busy = "", quiet = ""] = [keys[0], keys.at(-1)]
  const all = { range: { days: DAYS } }
  const middle = (await listRequests(runtime(), actor, { range: { days: 45 }, result: "answered" })).requests[0]
  const before = `${Date.now() - 30 * 86_400_000}000_${newId()}`
  return {
    "page, today": pageOf(actor, { range: { days: 1 } }),
    "page, 7 days": pageOf(actor, { range: { days: 7 } }),
    "page, 30 days": pageOf(actor, { range: { days: 30 } }),
    "page, 90 days": pageOf(actor, all),
    "page, 90 days by key": pageOf(actor, { ...all, by: "key" }),
    "page, 90 days of a busy key": pageOf(actor, { ...all, keyId: busy }),
    "page, 90 days of a rare key and model": pageOf(actor, { ...all, keyId: quiet, model: MODELS[2] }),
    "sums, 90 days": () => getUsage(runtime(), actor, all),
    "a key's days, 90 days": () => listDailySpend(runtime(), actor, { days: DAYS, keyId: busy }),
    "log, newest": () => listRequests(runtime(), actor, all),
    "log, a month back": () => listRequests(runtime(), actor, { ...all, before }),
    "log, one key": () => listRequests(runtime(), actor, { ...all, keyId: quiet }),
    "log, one model": () => listRequests(runtime(), actor, { ...all, model: MODELS[2] }),
    "log, one code": () => listRequests(runtime(), actor, { ...all, result: "model_unavailable" }),
    "log, a key without requests": () => listRequests(runtime(), actor, { ...all, keyId: publicId("key", newId()) }),
    "log, by request id": () => findRequest(runtime(), actor, { id: middle?.id ?? "" }),
  }
}

const ms = (value: number): string => value.toFixed(1).padStart(8)

async function measure(actor: UserActor, keys: string[]): Promise<void> {
  const works = await workByName(actor, keys)
  console.log(`${"".padEnd(38)}  min ms   p50 ms   p95 ms   buffers   rows of the big tables read   plan`)
  for (const [name, work] of Object.entries(works)) {
    const { minimum, p50, p95 } = await timed(work)
    const { buffers, bigRows, sequential } = await explainQueries(work)
    const plan = sequential.length > 0 ? `SEQUENTIAL: ${sequential.join(", ")}` : "by index"
    console.log(
      `${name.padEnd(38)}${ms(minimum)} ${ms(p50)} ${ms(p95)} ${String(buffers).padStart(9)} ${String(Math.round(bigRows)).padStart(29)}   ${plan}`,
    )
    if (sequential.length > 0 || (name.startsWith("page") && p95 > GOAL_MS)) process.exitCode = 1
  }
}

async function seed({ pool }: Runtime): Promise<{ actor: UserActor; keys: string[] }> {
  const { accountId } = await insertAccount()
  const history = { accountId, models: MODELS, days: DAYS }
  const startedAt = performance.now()
  const keys = await seedUsage(pool, { ...history, keys: 20, charges: CHARGES, events: EVENTS })
  const seededAt = performance.now()
  const added = await rollUpUsage(runtime())
  console.log(
    `${CHARGES} charges and ${EVENTS} refusals over ${DAYS} days, 20 keys, 3 models: ${((seededAt - startedAt) / 1000).toFixed(0)} s; ` +
      `${added} entries summed up in ${((performance.now() - seededAt) / 1000).toFixed(1)} s`,
  )
  await seedUsage(pool, { ...history, keys: 1, days: 0.01, charges: TAIL, events: 0 })
  await pool.query("VACUUM ANALYZE")
  const who = {
    userId: newId(),
    sessionId: newId(),
    confirmedAtMs: Date.now(),
    email: "a@b.example",
    clientAddress: null,
  }
  return { actor: { type: "user", accountId, role: "owner", ...who }, keys: keys.map((id) => publicId("key", id)) }
}

/** Compares the page's total with the ledger's sum, which must be equal to the pico-dollar. */
async function compareTotals(actor: UserActor): Promise<void> {
  const { total } = await getUsage(runtime(), actor, { range: { days: DAYS + 2 } })
  const { rows } = await runtime().pool.query<{ pico: string }>(
    "SELECT (-sum(amount_pico))::text AS pico FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'",
    [actor.accountId],
  )
  const same = BigInt(total.costUsd.replace(".", "")) === BigInt(rows[0]?.pico ?? "-1")
  console.log(
    same ? `The total, $${total.costUsd}, equals the ledger's sum.` : "The total differs from the ledger's sum.",
  )
  if (!same) process.exitCode = 1
}

const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-bench-"))
try {
  await withRuntime(dataDir, async (made) => {
    const { actor, keys } = await seed(made)
    await measure(actor, keys)
    await compareTotals(actor)
    const { rows } = await made.pool.query(
      `SELECT relname AS table, pg_size_pretty(pg_total_relation_size(oid)) AS size, reltuples::bigint AS rows
       FROM pg_class WHERE relname IN ('ledger_entry', 'request_event', 'usage_sum', 'usage_error') ORDER BY relname`,
    )
    for (const { table, size, rows: count } of rows) console.log(`  ${table}: ${count} rows, ${size}`)
    console.log(
      process.exitCode
        ? `Not met: every page within ${GOAL_MS} ms at p95, by index.`
        : `Met: every page within ${GOAL_MS} ms at p95, by index.`,
    )
  })
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
