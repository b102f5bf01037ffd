/**
 * Measures how many bytes requests take in PostgreSQL: 100,000 charged ones, placed and charged through the SQL functions, and
 * 100,000 refused ones, and as many charged ones with a tag that no other has. The first round fills the tables; only the growth of the
 * second one is reported.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { placeHold } from "@/lib/server/ledger/hold"
import { newId } from "@/lib/server/platform/ids"
import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import { rollUpUsage } from "@/lib/server/usage/roll-up-usage"
import { pico } from "@/lib/shared/money"
import { insertAccount, insertKey, insertModel } from "../test/insert-rows"
import { withRuntime } from "./support/accounts"

const REQUESTS = Number(process.env.REQUESTS || 100_000)
const ACCOUNTS = 20
const BATCH = 32
const TABLES = [
  "hold",
  "charged_hold",
  "ledger_entry",
  "request_event",
  "usage_sum",
  "tag_sum",
  "usage_error",
  "api_key",
  "account",
]

const payers: { accountId: string; keyId: string }[] = []

async function chargeBatch(model: string, isTagged: boolean): Promise<void> {
  const ids = Array.from({ length: BATCH }, newId)
  const actor = () => payers[Math.floor(Math.random() * payers.length)] as (typeof payers)[number]
  await Promise.all(
    // `isKeyed` places a real hold instead of drawing on a grant. `charge_holds` charges only real holds.
    ids.map((id) =>
      placeHold(runtime(), {
        id,
        actor: actor(),
        modelId: model,
        pricePico: pico(20_000),
        maxTokens: 400,
        isKeyed: true,
        tags: isTagged ? [`request=${id}`] : [],
      }),
    ),
  )
  await runtime().pool.query("SELECT count(*) FROM charge_holds($1, $2, $3, $4)", [
    ids,
    ids.map(() => 80 + Math.floor(Math.random() * 300)),
    ids.map(() => Math.ceil(Math.exp(4.5 + Math.random()))),
    ids.map(() => JSON.stringify({ noul: 1, choice: 2 })),
  ])
}

async function refuse(requests: number): Promise<void> {
  for (let left = requests; left > 0; left -= BATCH)
    for (let i = 0; i < Math.min(BATCH, left); i++)
      runtime().events.add({
        requestId: newId(),
        actor: payers[i % payers.length] as (typeof payers)[number],
        model: null,
        status: 429,
        code: "rate_limited",
        latencyMs: 1,
        // Batches are 32 s apart, and a key has at most two events in each. Above ten per second, events would get no row.
        at: new Date(Date.now() - left * 1_000),
      })
}

/** Returns the bytes of each table with its indexes and TOAST, and of the log that was written so far. */
async function sizes({ pool }: Runtime): Promise<Map<string, number>> {
  await pool.query("VACUUM")
  const { rows } = await pool.query<{ name: string; bytes: string }>(
    `SELECT t AS name, (pg_total_relation_size(t::regclass)
         + coalesce((SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = t::regclass), 0))::text AS bytes
       FROM unnest($1::text[]) AS t
     UNION ALL SELECT 'WAL', pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint::text`,
    [TABLES],
  )
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

async function grow(here: Runtime, what: string, work: () => Promise<void>): Promise<void> {
  await work()
  const before = await sizes(here)
  await work()
  const after = await sizes(here)
  console.log(`${what}: bytes for ${REQUESTS.toLocaleString("en")} more`)
  for (const [name, bytes] of after) console.log(`  ${name}: ${(bytes - (before.get(name) ?? 0)).toLocaleString("en")}`)
}

const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-bench-"))
try {
  await withRuntime(dataDir, async (here) => {
    const model = await insertModel()
    for (let i = 0; i < ACCOUNTS; i++) {
      const { accountId } = await insertAccount()
      payers.push({ accountId, keyId: (await insertKey(accountId)).keyId })
    }
    const charge = (isTagged: boolean) => async () => {
      for (let done = 0; done < REQUESTS; done += BATCH) await chargeBatch(model, isTagged)
      await rollUpUsage(runtime())
    }
    await grow(here, "Charged requests", charge(false))
    await grow(here, "Charged requests with a tag of their own", charge(true))
    await grow(here, "Refused requests", async () => {
      await refuse(REQUESTS / 2)
      await here.events.flush()
      await refuse(REQUESTS / 2)
      await here.events.flush()
    })
    const { rows } = await here.pool.query(
      `SELECT count(*)::int AS rows, (pg_total_relation_size('usage_sum') / count(*))::int AS bytes FROM usage_sum`,
    )
    console.log(`Hourly and daily sums: ${rows[0].bytes} bytes a row (${rows[0].rows} rows)`)
  })
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
