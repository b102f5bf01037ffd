/**
 * Measures how the service's queries grow with the number of charged requests: 100,000, 1 million and 10 million, times TEST_SCALE.
 * Prints the PostgreSQL pages touched and the processor time of its connections, which other load on the machine changes little.
 * To cancel changes in processor speed, each round also times a statement that reads only the catalog. Growth compares the ratios.
 * REQUESTS lists other sizes. ACCOUNTS sets the number of accounts. Fails when a figure grows by more than 1.3 times; bytes and
 * `verify --all` may grow.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { Pool } from "pg"
import { getAccountTotals } from "@/lib/server/accounts/account-totals"
import { listAccounts } from "@/lib/server/accounts/list-accounts"
import { getStatement } from "@/lib/server/billing/get-statement"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { getUsage } from "@/lib/server/usage/get-usage"
import { listRequests } from "@/lib/server/usage/list-requests"
import { rollUpNewUsage } from "@/lib/server/usage/roll-up-usage"
import { pico } from "@/lib/shared/money"
import { signedInAt } from "@/test/sign-up"
import { withRuntime } from "./support/accounts"
import { pagesOfQueries } from "./support/pages-of-queries"
import { costOf, type Figure, type Work } from "./support/processor-time"
import { type Seeded, seedLedger } from "./support/seed-ledger"

const SCALE = Number(process.env.TEST_SCALE || 1)
const SIZES = (process.env.REQUESTS?.split(",") ?? [100_000, 1_000_000, 10_000_000]).map((n) => Number(n) * SCALE)
const ROUNDS = Number(process.env.ROUNDS || 20)
const PAIRS = 500
/** As many in each database, so that figures grow with the number of requests alone. */
const ACCOUNTS = Number(process.env.ACCOUNTS || 100)
/** The accounts that are charged while figures are taken. */
const PAYING = 50
const MOST = 1.3

const pagesTouched = async (pool: Pool): Promise<number> => {
  await pool.query("SELECT pg_stat_force_next_flush()")
  const { rows } = await pool.query(
    "SELECT (blks_hit + blks_read)::float8 AS pages FROM pg_stat_database WHERE datname = current_database()",
  )
  return rows[0].pages
}

const ownerOf = (accountId: string): UserActor => ({
  type: "user",
  accountId,
  role: "owner",
  operatorRole: null,
  ...{
    userId: newId(),
    sessionId: newId(),
    confirmedAtMs: signedInAt(Date.now()),
    email: "a@b.example",
    clientAddress: null,
  },
})

/** Charges requests sequentially, of accounts that take turns. Throws when one is not captured. */
async function charge({ others, model }: Seeded, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const actor = others[(i * 17) % PAYING] as Seeded["others"][number]
    const id = newId()
    await placeHold(runtime(), { id, actor, modelId: model, pricePico: pico(20_000), maxTokens: 300 })
    const facts = { tokens: 200, latencyMs: 90, questionCounts: { noul: 1, choice: 2 } }
    const state = await capture(runtime(), { id, accountId: actor.accountId }, facts)
    if (state !== "captured") throw new Error(`a pair ended as ${state}`)
  }
}

const rollUpJob = (): Promise<number> => rollUpNewUsage(runtime())

type Figures = Record<string, Figure>

const FIRST_PAGE = { limit: 50, after: null, q: "example" }

async function measureReads({ big }: Seeded): Promise<Figures> {
  const actor = ownerOf(big.accountId)
  const range = { days: 30 }
  const month = new Date(Date.now() - 35 * 86_400_000).toISOString().slice(0, 7)
  const works: Record<string, Work> = {
    "usage page": async () => [
      await getUsage(runtime(), actor, { range }),
      await listRequests(runtime(), actor, { range }),
    ],
    "usage of a key": () =>
      getUsage(runtime(), actor, { range: { days: 90 }, keyId: publicId("key", big.keys[0] ?? "") }),
    "log of a model": () => listRequests(runtime(), actor, { range: { days: 90 }, model: "scale-test-1" }),
    "log of a code": () => listRequests(runtime(), actor, { range: { days: 90 }, result: "rate_limited" }),
    statement: () => getStatement(runtime(), actor, { month }),
    "operator's accounts": async () => [
      await listAccounts(runtime(), OPERATOR, FIRST_PAGE),
      await getAccountTotals(runtime(), OPERATOR),
    ],
  }
  const figures: Figures = {}
  for (const [name, work] of Object.entries(works)) {
    figures[`${name}, ms`] = await costOf(work, ROUNDS)
    figures[`${name}, pages`] = { value: await pagesOfQueries(work) }
  }
  return figures
}

async function measureWrites(seeded: Seeded): Promise<Figures> {
  const { pool } = runtime()
  // Measured before any new charge, because the roll-up reads the charges of the last minute again.
  const idle = await costOf(rollUpJob, 9)
  const idlePages = { value: await pagesOfQueries(rollUpJob) }
  const pair = await costOf(() => charge(seeded, PAIRS), 9, { runs: PAIRS })
  const before = await pagesTouched(pool)
  await charge(seeded, PAIRS)
  const pages = { value: ((await pagesTouched(pool)) - before) / PAIRS }
  await rollUpJob()
  // Each round sums up the same number of new charges.
  const summed = await costOf(rollUpJob, 9, { prepare: () => charge(seeded, 100) })
  return {
    "hold + capture, ms": pair,
    "hold + capture, pages": pages,
    "roll-up of 100 charges, ms": summed,
    "roll-up without charges, ms": idle,
    "roll-up without charges, pages": idlePages,
  }
}

async function measureVerify(seeded: Seeded): Promise<Figures> {
  const whole = await costOf(() => verifyLedger(runtime(), { all: true }), 1)
  const again = await costOf(() => verifyLedger(runtime()), 5, { prepare: () => charge(seeded, 100) })
  const pages = { value: await pagesOfQueries(() => verifyLedger(runtime())) }
  return { "verify, ms": again, "verify, pages": pages, "verify --all, ms": whole }
}

const TABLES = [
  "ledger_entry",
  "ledger_source",
  "hold",
  "charged_hold",
  "request_event",
  "usage_sum",
  "account",
  "api_key",
]

/** Returns bytes of a table with its partitions, indexes and TOAST, for each charged request. */
async function bytesPerRequest(pool: Pool, requests: number): Promise<Figures> {
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `SELECT t AS name, pg_total_relation_size(t::regclass) + coalesce((SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = t::regclass), 0) AS bytes
     FROM unnest($1::text[]) AS t`,
    [TABLES],
  )
  const bytes = Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes) / requests]))
  const { ledger_entry = 0, hold = 0, charged_hold = 0 } = bytes
  return {
    ...Object.fromEntries(Object.entries(bytes).map(([name, value]) => [`bytes of ${name}`, { value }])),
    "bytes of a charge with its hold": { value: ledger_entry + hold + charged_hold },
  }
}

async function measure(requests: number): Promise<Figures> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-bench-"))
  try {
    return await withRuntime(dataDir, async ({ pool }) => {
      await pool.query(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET max_parallel_workers_per_gather = 0', current_database()); END $$",
      )
      const startedAt = performance.now()
      const seeded = await seedLedger(pool, requests, ACCOUNTS)
      await rollUpJob()
      await pool.query("VACUUM ANALYZE")
      console.log(
        `${requests.toLocaleString("en")} requests, filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
      )
      const bytes = await bytesPerRequest(pool, requests)
      return {
        ...bytes,
        ...(await measureReads(seeded)),
        ...(await measureWrites(seeded)),
        ...(await measureVerify(seeded)),
      }
    })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const columns: Figures[] = []
for (const size of SIZES) columns.push(await measure(size))
console.log(["".padEnd(36), ...SIZES.map((size) => size.toLocaleString("en").padStart(14))].join(""))
for (const name of Object.keys(columns[0] ?? {})) {
  const found = columns.map((figures) => figures[name])
  const [first = 1, last = 0] = [found[0], found.at(-1)].map((figure) => figure?.relative ?? figure?.value)
  const grown = last / first
  const isOver = !name.startsWith("bytes") && !name.includes("--all") && grown > MOST
  if (isOver) process.exitCode = 1
  console.log(
    [
      name.padEnd(36),
      ...found.map((figure) => (figure?.value ?? 0).toFixed(3).padStart(14)),
      `   × ${grown.toFixed(2)}${isOver ? " NOT FLAT" : ""}`,
    ].join(""),
  )
}
