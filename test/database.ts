import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import { openPool } from "@/lib/server/platform/db/connect"
import { readEnv } from "@/lib/server/platform/env"
import { installRuntime, type Runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { afterFile } from "./after-file"
import { createDatabase } from "./postgres-cluster"

export async function testDatabase() {
  const { host, port, user } = inject("postgres")
  const name = `t_${randomBytes(8).toString("hex")}`
  const { url, drop } = await createDatabase({ host, port, user }, name)
  // Tests open many transactions at once, which wait for longer than 5 s on a slow machine.
  const pool = openPool({ host, port, user, database: name, max: 20, connectionTimeoutMillis: 30_000 })
  const close = async () => {
    await pool.end()
    await drop()
  }
  return { pool, close, url }
}

/** Installs a runtime on a database of its own for this suite. `settings` overrides the test settings. No timers run. */
export async function testRuntime(settings: Record<string, string> = {}): Promise<Runtime & { databaseUrl: string }> {
  const database = await testDatabase()
  const env = readEnv({
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    AUTH_SECRET: "a-secret-for-tests-of-32-characters",
    ...settings,
  })
  const made = await createRuntime(env, database.pool, { role: "command" })
  installRuntime(made.runtime)
  // The runtime stays installed, because work that a request left behind may still call it. It then finds no connection.
  afterFile(async () => {
    await made.close()
    await database.close()
  })
  return Object.assign(made.runtime, { databaseUrl: database.url })
}
