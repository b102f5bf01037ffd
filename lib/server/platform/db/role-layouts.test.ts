import { afterEach, describe, expect, it, vi } from "vitest"
import { dropSettledHolds } from "@/lib/server/ledger/drop-settled-holds"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { seedModels } from "@/lib/server/models/seed-models"
import { readEnv } from "@/lib/server/platform/env"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { afterFile } from "@/test/after-file"
import { insertFastKey } from "@/test/insert-rows"
import { createRoleDatabase } from "@/test/role-database"
import { sendDecision } from "@/test/send-decision"
import { startEdge } from "@/test/service"
import { connectDatabase, openPool } from "./connect"
import { addPartitions } from "./partitions"

const DAY_MS = 86_400_000
/** How far the clocks are ahead. They never go back, because ids do not either. */
let days = 0

afterEach(() => void vi.useRealTimers())

describe.each(["one role", "two roles"] as const)("a service with %s", async (layout) => {
  it("serves over the ends of its partitions, creates new ones for their owner, and drops old ones", async () => {
    const database = await createRoleDatabase(layout)
    const env = readEnv({
      ...{ NODE_ENV: "test", LOG_LEVEL: "silent", AUTH_SECRET: "a-secret-for-tests-of-32-characters" },
      DATABASE_URL: database.serverUrl,
    })
    const opened = await connectDatabase(env, "server")
    const created = await createRuntime(env, opened.pool, { role: "command" })
    installRuntime(created.runtime)
    afterFile(async () => {
      await created.close()
      await opened.close()
    })
    await seedModels(runtime())
    await loadCatalogue(runtime())
    const { url } = await startEdge("api", null)
    const owner = openPool({ connectionString: database.ownerUrl, max: 1 })
    afterFile(() => owner.end())
    const { token } = await insertFastKey()
    const decide = async () => (await sendDecision(url, token)).status

    const missing = async () => {
      await addPartitions(opened.pool)
      return (await opened.pool.query("SELECT parent FROM missing_partitions()")).rows
    }
    /**
     * Moves the clock of the SQL functions, creates partitions, and moves the clock of this process. What has `DEFAULT now()` keeps
     * PostgreSQL's clock.
     */
    const moveClock = async (by: number) => {
      days += by
      await owner.query(`CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        $$ SELECT clock_timestamp() + interval '${days} days' $$`)
      // Requests that still end may hold a lock for which the creation does not wait.
      await expect.poll(missing).toEqual([])
      vi.useRealTimers()
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days * DAY_MS })
    }
    const partitionsOf = async (table: string) => {
      const { rows } = await opened.pool.query(
        `SELECT c.relname AS name, c.relowner::regrole::text AS owner FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
         WHERE inhparent = $1::regclass ORDER BY 1`,
        [table],
      )
      return rows as { name: string; owner: string }[]
    }

    await moveClock(0)
    expect(await decide()).toBe(200)
    const before = await partitionsOf("hold")
    await moveClock(100)
    expect(await decide()).toBe(200)
    const after = await partitionsOf("hold")
    expect(after.length).toBe(before.length + 4)
    expect(new Set(after.map((partition) => partition.owner))).toEqual(new Set([database.owner]))
    const { rows } = await opened.pool.query("SELECT tableoid::regclass::text AS name FROM hold ORDER BY id")
    const [first, second] = rows.map(({ name }) => name)
    expect(before.map(({ name }) => name)).toContain(first)
    expect(before.map(({ name }) => name)).not.toContain(second)
    expect(second).not.toBe("hold_default")
    expect(await dropSettledHolds(runtime())).toBeGreaterThan(0)
    expect((await partitionsOf("hold")).length).toBeLessThan(after.length)
    expect((await verifyLedger(runtime(), { all: true })).checks.filter(({ ok }) => !ok)).toEqual([])
  })
})
