/**
 * Credits allowances in a process of its own, once for each line that it reads, and prints how long each run took in milliseconds.
 * Argument: the database's address.
 */
import * as readline from "node:readline"
import { grantAllowances } from "@/lib/server/accounts/grant-allowances"
import { connectDatabase } from "@/lib/server/platform/db/connect"
import { readEnv } from "@/lib/server/platform/env"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"

const env = readEnv({
  NODE_ENV: "test",
  LOG_LEVEL: "silent",
  AUTH_SECRET: "a-secret-for-tests-of-32-characters",
  DATABASE_URL: process.argv[2],
})
const database = await connectDatabase(env, "command")
const made = await createRuntime(env, database.pool, { role: "command" })
installRuntime(made.runtime)
process.stdout.write("ready\n")
const lines = readline.createInterface({ input: process.stdin })
lines.on("line", async () => {
  const start = performance.now()
  await grantAllowances(runtime())
  process.stdout.write(`${Math.round(performance.now() - start)}\n`)
})
lines.once("close", async () => {
  await made.close()
  await database.close()
  process.exit()
})
