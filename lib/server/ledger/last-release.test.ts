import { createHash, randomUUID } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import type pg from "pg"
import { describe, expect, it } from "vitest"
import { migrate } from "@/lib/server/platform/db/migrate"
import { newId } from "@/lib/server/platform/ids"
import { onScratchDatabase } from "@/test/scratch-database"
import { checkLedger } from "./verify-ledger"

const NEWEST_OF_LAST_RELEASE = "20261121090000_latencies_in_one_number"
/** Sorts after every migration. */
const LATEST = "~"
const ACCOUNT = "00000000-0000-7000-8000-000000000001"
const KEY = "00000000-0000-7000-8000-000000000002"

/** Migrates an empty database to the last release, whose migrations also created its functions, or to a later migration. */
async function migrateToLastRelease(pool: pg.Pool, newest = NEWEST_OF_LAST_RELEASE): Promise<void> {
  await pool.query(`CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
    migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0)`)
  for (const name of (await readdir("prisma/migrations")).sort()) {
    if (name > newest) continue
    const sql = await readFile(`prisma/migrations/${name}/migration.sql`, "utf8")
    await pool.query(sql.replaceAll(" CONCURRENTLY", ""))
    await pool.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ($1, $2, $3, now())",
      [randomUUID(), createHash("sha256").update(sql).digest("hex"), name],
    )
  }
  await pool.query(`INSERT INTO account (id) VALUES ('${ACCOUNT}');
    INSERT INTO api_key (id, account_id, name, masked, secret_sha256) VALUES ('${KEY}', '${ACCOUNT}', 'Key', '…', 'x');
    INSERT INTO model (id, kind, engine, price_pico) VALUES ('m', 'pinned', 'lexical', 1);
    SELECT post_entry('${ACCOUNT}', 'credit', 1000000, 'credit')`)
}

const holdSql = "SELECT outcome FROM place_hold($1, $2, $3, 'm', 1, 100)"

/** Places and captures one hold through the functions that the last release calls. */
async function chargeAsLastRelease(pool: pg.Pool, latencyMs: number, counts: [number, number, number]): Promise<void> {
  const id = newId()
  expect((await pool.query(holdSql, [id, ACCOUNT, KEY])).rows).toEqual([{ outcome: "held" }])
  const { rows } = await pool.query("SELECT capture($1, 30, $2, $3, $4, $5) AS state", [id, latencyMs, ...counts])
  expect(rows).toEqual([{ state: "captured" }])
}

const rollUp = (pool: pg.Pool) => pool.query(`SELECT roll_up_usage('${ACCOUNT}', 1000)`)
const sumsOf = async (pool: pg.Pool) =>
  (
    await pool.query(`SELECT decisions::int, question_counts, latency_counts, latencies FROM usage_sum
      WHERE unit = 'day' AND key_id = '${KEY}' AND model_id = '*'`)
  ).rows
const entryCounts = async (pool: pg.Pool) =>
  (
    await pool.query(`SELECT question_counts_of(e) AS counts, noul_count, choice_count, score_count FROM ledger_entry e
      WHERE kind = 'charge' ORDER BY id`)
  ).rows

describe("a database of the last release", () => {
  it("keeps its sums and question counts when it is upgraded", async () => {
    await onScratchDatabase(async (pool) => {
      await migrateToLastRelease(pool)
      await chargeAsLastRelease(pool, 0, [1, 0, 4])
      await chargeAsLastRelease(pool, 2, [1, 2, 0])
      await rollUp(pool)
      await chargeAsLastRelease(pool, 2, [0, 1, 0])
      await migrate(pool)
      // 2 ms fall into bucket 9.
      const upTo9 = ["1", ...Array(8).fill("0")]
      const latencies = `1${"0".repeat(107)}1`
      const before = { decisions: 2, question_counts: { noul: 2, choice: 2, score: 4 } }
      expect(await sumsOf(pool)).toEqual([{ ...before, latency_counts: [...upTo9, "1"], latencies }])
      expect((await entryCounts(pool)).map(({ counts }) => counts)).toEqual([
        { noul: 1, score: 4 },
        { noul: 1, choice: 2 },
        { choice: 1 },
      ])
      await rollUp(pool)
      const after = { decisions: 3, question_counts: { noul: 2, choice: 3, score: 4 } }
      expect(await sumsOf(pool)).toEqual([
        { ...after, latency_counts: [...upTo9, "2"], latencies: `2${latencies.slice(1)}` },
      ])
      expect((await checkLedger(pool)).filter(({ ok }) => !ok)).toEqual([])
    })
  })
})

describe("tables with rows that become partitions", () => {
  it("keep their rows except old ended holds, and their indexes, and a hold that was open is charged once", async () => {
    await onScratchDatabase(async (pool) => {
      await migrateToLastRelease(pool)
      await chargeAsLastRelease(pool, 0, [1, 0, 4])
      const [open, old] = [newId(), newId()]
      await pool.query(holdSql, [open, ACCOUNT, KEY])
      await pool.query(holdSql, [old, ACCOUNT, KEY])
      // A hold that ended before the last ten minutes is not needed any more.
      await pool.query("SELECT release($1, 'voided')", [old])
      await pool.query("UPDATE hold SET id = uuidv7(interval '-1 hour') WHERE id = $1", [old])
      await pool.query("INSERT INTO audit_event (account_id, actor, action) VALUES ($1, 'operator', 'x')", [ACCOUNT])
      await pool.query("INSERT INTO request_event VALUES ($1, $2, $3, NULL, 400, 'x', 1, now())", [
        newId(),
        ACCOUNT,
        KEY,
      ])
      const entries = await pool.query(
        "SELECT id, account_id, amount_pico, hold_id, source FROM ledger_entry ORDER BY id",
      )
      await migrate(pool)

      const rows = async (text: string) => (await pool.query(text)).rows
      expect(await rows("SELECT id, account_id, amount_pico, hold_id, source FROM ledger_entry ORDER BY id")).toEqual(
        entries.rows,
      )
      expect(await rows("SELECT state FROM hold ORDER BY created_at")).toEqual([
        { state: "captured" },
        { state: "held" },
      ])
      for (const table of ["ledger_entry", "request_event", "audit_event"])
        expect(await rows(`SELECT DISTINCT tableoid::regclass::text AS name FROM ${table}`)).toEqual([
          { name: `${table}_before` },
        ])
      expect(
        await rows(
          "SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = 'ledger_entry_before'::regclass ORDER BY 1",
        ),
      ).toEqual(
        [
          "account_id_created_at_idx",
          "but_charges",
          "hold_id_key",
          "key_id_model_id_created_at_idx",
          "pkey",
          "time",
        ].map((name) => ({ name: `ledger_entry_before_${name}` })),
      )
      const charge = "SELECT state FROM charge_holds(ARRAY[$1::uuid], '{30}', '{1}', ARRAY['{}'::jsonb])"
      for (let i = 0; i < 2; i++) expect((await pool.query(charge, [open])).rows).toEqual([{ state: "captured" }])
      expect(
        await rows("SELECT count(*)::int AS charges, max(id) > 2 AS goes_on FROM ledger_entry WHERE kind = 'charge'"),
      ).toEqual([{ charges: 2, goes_on: true }])
      expect(await rows(`SELECT post_entry('${ACCOUNT}', 'credit', 1000000, 'credit') AS posted`)).toEqual([
        { posted: false },
      ])
      await expect(rows(`SELECT post_entry('${ACCOUNT}', 'credit', 7, 'credit')`)).rejects.toThrow("posted differently")
      expect((await checkLedger(pool)).filter(({ ok }) => !ok)).toEqual([])
    })
  })

  it("take new rows until their bound, which is one to two months away", async () => {
    await onScratchDatabase(async (pool) => {
      await migrateToLastRelease(pool)
      await migrate(pool)
      const { rows } = await pool.query(
        "SELECT has_time, since FROM partitions_of('ledger_entry', now() + interval '27 days') WHERE name = 'ledger_entry_before'",
      )
      expect(rows).toEqual([{ has_time: true, since: Number.NEGATIVE_INFINITY }])
      expect((await pool.query("SELECT * FROM missing_partitions()")).rows).toEqual([])
    })
  })
})

describe("a process of the last release, on an upgraded database", () => {
  it("places, captures, releases and sums up as before, and reads its own columns", async () => {
    await onScratchDatabase(async (pool) => {
      await migrateToLastRelease(pool)
      await migrate(pool)
      await chargeAsLastRelease(pool, 0, [1, 0, 4])
      const ids = [newId(), newId(), newId()]
      const { rows: placed } = await pool.query(
        "SELECT outcome FROM place_holds($1, $2, $3, '{m,m,m}', '{1,1,1}', '{9,9,999999}')",
        [ids, ids.map(() => ACCOUNT), ids.map(() => KEY)],
      )
      expect(placed.map(({ outcome }) => outcome)).toEqual(["held", "held", "held"])
      const { rows: captured } = await pool.query(
        "SELECT state FROM capture_holds($1, '{9,10,1}', '{2,2,2}', '{1,1,0}', '{1,0,0}', '{1,0,5}')",
        [ids],
      )
      expect(captured.map(({ state }) => state)).toEqual(["captured", "exceeds", "captured"])
      expect((await pool.query("SELECT release($1, 'voided')", [ids[1]])).rows).toEqual([{ release: "voided" }])
      expect(await entryCounts(pool)).toEqual([
        { counts: { noul: 1, score: 4 }, noul_count: 1, choice_count: 0, score_count: 4 },
        { counts: { noul: 1, choice: 1, score: 1 }, noul_count: 1, choice_count: 1, score_count: 1 },
        { counts: { score: 5 }, noul_count: 0, choice_count: 0, score_count: 5 },
      ])
      await rollUp(pool)
      expect((await sumsOf(pool)).map(({ latencies }) => latencies)).toEqual([`2${"0".repeat(107)}1`])
      const { rows } = await pool.query("SELECT balance_pico, held_pico FROM account")
      expect(rows).toEqual([{ balance_pico: String(1_000_000 - 30 - 9 - 1), held_pico: "0" }])
      expect((await checkLedger(pool)).filter(({ ok }) => !ok)).toEqual([])
    })
  })

  it("finishes a call that was running while the functions were replaced", async () => {
    await onScratchDatabase(async (pool) => {
      // With today's tables: a migration of the account table would wait for the call.
      await migrateToLastRelease(pool, LATEST)
      const other = await pool.connect()
      await other.query("BEGIN; UPDATE account SET balance_pico = 0")
      const running = pool.query(holdSql, [newId(), ACCOUNT, KEY])
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
      await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 5 }).toBe(1)
      await migrate(pool)
      await other.query("COMMIT")
      other.release()
      expect((await running).rows).toEqual([{ outcome: "insufficient" }])
    })
  })
})
