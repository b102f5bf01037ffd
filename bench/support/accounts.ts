import { connectDatabase } from "@/lib/server/platform/db/connect"
import { readEnv } from "@/lib/server/platform/env"
import { installRuntime, type Runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { insertAccount, insertKey } from "../../test/insert-rows"

const BALANCE_PICO = 1_000_000_000_000_000n
/** The secret of servers that share a database. */
export const AUTH_SECRET = "a-secret-of-benchmarks-of-32-characters"
const KEY_LIMIT_PICO = 900_000_000_000_000n

/** Runs `work` with a runtime on a service's data folder, or on the database at a `postgres://` address. A server may be running on the same. */
export async function withRuntime<Result>(place: string, work: (runtime: Runtime) => Promise<Result>): Promise<Result> {
  const settings = place.startsWith("postgres://") ? { DATABASE_URL: place, AUTH_SECRET } : { DATA_DIR: place }
  const env = readEnv({ NODE_ENV: "production", LOG_LEVEL: "silent", ...settings })
  const database = await connectDatabase(env, "command")
  const made = await createRuntime(env, database.pool, { role: "command" })
  installRuntime(made.runtime)
  try {
    return await work(made.runtime)
  } finally {
    await made.close()
    installRuntime(undefined)
    await database.close()
  }
}

/** Inserts accounts with $1,000, a key with a daily limit, and rate limits that no benchmark reaches. Returns the keys' secrets. */
export const insertKeys = (dataDir: string, count: number): Promise<string[]> =>
  withRuntime(dataDir, async ({ pool }) => {
    const tokens: string[] = []
    for (let i = 0; i < count; i++) {
      const { accountId } = await insertAccount(BALANCE_PICO)
      await pool.query(
        "UPDATE account SET requests_per_second = 100000, requests_per_second_per_key = 100000 WHERE id = $1",
        [accountId],
      )
      tokens.push((await insertKey(accountId, { limitPico: KEY_LIMIT_PICO, period: "daily" })).token)
    }
    return tokens
  })
