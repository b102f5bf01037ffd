import { randomBytes } from "node:crypto"
import pg from "pg"
import { afterAll, inject } from "vitest"
import { openPool } from "@/lib/server/platform/db/connect"
import { readEnv } from "@/lib/server/platform/env"
import { installRuntime, type Runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"

/** A fresh migrated database for this suite; it goes when the suite ends. */
export async function testDatabase() {
  const { host, port, user } = inject("postgres")
  const database = `t_${randomBytes(8).toString("hex")}`
  const admin = new pg.Pool({ host, port, user, database: "postgres", max: 1 })
  await admin.query(`CREATE DATABASE ${database} TEMPLATE template_svcd`)
  const opened = openPool({ host, port, user, database, max: 20 })
  const close = async () => {
    await opened.prisma.$disconnect()
    await opened.pool.end()
    await admin.query(`DROP DATABASE ${database} WITH (FORCE)`)
    await admin.end()
  }
  const url = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  return { ...opened, close, url }
}

/** A runtime on a fresh database, installed for this suite. `settings` overrides the environment; no timers run. */
export async function testRuntime(settings: Record<string, string> = {}): Promise<Runtime & { databaseUrl: string }> {
  const database = await testDatabase()
  const env = readEnv({
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    AUTH_SECRET: "a-secret-for-tests-of-32-characters",
    ...settings,
  })
  const made = await createRuntime(env, database, { role: "command" })
  installRuntime(made.runtime)
  afterAll(async () => {
    installRuntime(undefined)
    await made.close()
    await database.close()
  })
  return { ...made.runtime, databaseUrl: database.url }
}
