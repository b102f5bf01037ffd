import { expect, test } from "vitest"
import { migrate } from "@/lib/server/platform/db/migrate"
import { readRelease } from "@/lib/server/platform/db/release"
import { onScratchDatabase } from "@/test/scratch-database"

const UNITED = "20261127190100_one_queue_for_mails"
const ID = "00000000-0000-7000-8000-000000000001"

test("a mail to someone who lost access that waits during the upgrade keeps its address, cause and next attempt", async () => {
  await onScratchDatabase(async (pool) => {
    const { migrations } = await readRelease()
    // The functions are those of this release, which need its tables.
    const functions = { version: 0, functions: [] }
    await migrate(pool, { migrations: migrations.filter(({ name }) => name < UNITED), functions })
    await pool.query("INSERT INTO account (id) VALUES ($1)", [ID])
    await pool.query(
      `INSERT INTO farewell_mail (id, account_id, address, kind, facts, created_at, attempts, next_at)
       VALUES ($1, $1, 'ada@example.com', 'user_deleted', '{"card": "none"}', '2026-11-27T09:00:00Z', 3, '2026-11-27T09:08:00Z')`,
      [ID],
    )
    expect((await migrate(pool)).migrations).toContain(UNITED)
    const { rows } = await pool.query(
      "SELECT user_id, address, kind, source, facts, created_at, attempts, next_at, sent_at FROM queued_mail",
    )
    expect(rows).toEqual([
      {
        user_id: null,
        address: "ada@example.com",
        kind: "user_deleted",
        source: null,
        facts: { card: "none" },
        created_at: new Date("2026-11-27T09:00:00Z"),
        attempts: 3,
        next_at: new Date("2026-11-27T09:08:00Z"),
        sent_at: null,
      },
    ])
  })
})
