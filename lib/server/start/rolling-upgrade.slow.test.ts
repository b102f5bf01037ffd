import { describe, expect, it } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { migrate } from "@/lib/server/platform/db/migrate"
import { createMigration, type Release, readRelease } from "@/lib/server/platform/db/release"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertFastKey } from "@/test/insert-rows"
import { sendDecision } from "@/test/send-decision"
import { type ServerProcess, startServer } from "@/test/server-process"

const { pool, databaseUrl } = await testRuntime()

/** The next release: columns in the tables of every request, an index, and changed functions. */
async function nextRelease(): Promise<Release> {
  const { migrations, functions } = await readRelease()
  const columns =
    "ALTER TABLE account ADD next text; ALTER TABLE hold ADD next text; ALTER TABLE ledger_entry ADD next text;"
  const index = "-- outside a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS account_next ON account (next);"
  return {
    migrations: [
      ...migrations,
      createMigration("29990101000000_columns", columns),
      createMigration("29990101000001_index", index),
    ],
    functions: {
      version: functions.version + 1,
      functions: functions.functions.map(({ name, sql }) => ({ name, sql: `${sql}\n-- next release` })),
    },
  }
}

/** Sends paid requests, two at a time, until it is stopped. Counts the statuses. */
function load(token: string) {
  const statuses: Record<number, number> = {}
  let servers: ServerProcess[] = []
  let stopped = false
  async function client(): Promise<void> {
    for (let i = 0; !stopped; i++) {
      const { status } = await sendDecision(servers[i % servers.length]?.url ?? "", token)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  let clients: Promise<void>[] = []
  const answered = () => Object.values(statuses).reduce((sum, count) => sum + count, 0)
  return {
    statuses,
    start(first: ServerProcess) {
      servers = [first]
      clients = [client(), client()]
    },
    use(...now: ServerProcess[]) {
      servers = now
    },
    more: (count: number) => expect.poll(answered).toBeGreaterThan(answered() + count),
    async stop() {
      stopped = true
      await Promise.all(clients)
    },
  }
}

describe("an upgrade while requests arrive", () => {
  it("loses none: the old version runs on before, during and after the migration, and starts again when it is allowed", async () => {
    const { token } = await insertFastKey()
    const old = await startServer(databaseUrl)
    await pool.query("UPDATE model SET price_pico = 1000 WHERE id = 'svc-lexical-baseline-1'")
    const requests = load(token)
    requests.start(old)
    await requests.more(20)
    const { migrations } = await migrate(pool, await nextRelease())
    expect(migrations).toEqual(["29990101000000_columns", "29990101000001_index"])
    await requests.more(20)
    const again = await startServer(databaseUrl, { ALLOW_NEWER_SCHEMA: "1" })
    requests.use(old, again)
    await requests.more(20)
    await requests.stop()
    expect(Object.keys(requests.statuses)).toEqual(["200"])
    const { ok, checks } = await verifyLedger(runtime())
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(ok).toBe(true)
    for (const server of [old, again]) server.signal("SIGTERM")
    expect(await Promise.all([old.ended, again.ended])).toEqual([0, 0])
  })
})
