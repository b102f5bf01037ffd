import { connectDatabase } from "@/lib/server/platform/db/connect"
import { readEnv } from "@/lib/server/platform/env"
import { installRuntime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"

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
