import "server-only"
import { createRuntime } from "../create-runtime"
import { connectDatabase } from "../db/connect"
import { readEnv } from "../env"
import { installRuntime } from "../runtime"

/**
 * Runs a command's work on the service's database, beside a running server or without one. What it changes holds for
 * every server within 2 s: they read it again.
 */
export async function withRuntime<Result>(work: () => Promise<Result>): Promise<Result> {
  const env = readEnv()
  const database = await connectDatabase(env, "command")
  try {
    const { runtime, close } = await createRuntime(env, database, { role: "command" })
    installRuntime(runtime)
    return await work().finally(close)
  } finally {
    installRuntime(undefined)
    await database.close()
  }
}
