import { connectDatabase } from "@/lib/server/platform/db/connect"
import { readEnv } from "@/lib/server/platform/env"
import { installRuntime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { runningEngines } from "@/lib/server/start/own-engine"
import { operate } from "./command-line"
import type { WithRuntime } from "./outcome"

/**
 * Runs a command on the service's database, whether a server is running or not. Every running server applies the changes
 * within 2 s.
 */
const withRuntime: WithRuntime = async (work, needs) => {
  if (needs === "settings") return work()
  const env = readEnv()
  const database = await connectDatabase(env, "command")
  try {
    const { runtime, close } = await createRuntime(env, database.pool, {
      role: "command",
      ownEngines: runningEngines(env.DATA_DIR),
    })
    installRuntime(runtime)
    return await work().finally(close)
  } finally {
    installRuntime(undefined)
    await database.close()
  }
}

const terminal = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
}

process.exitCode = await operate(process.argv.slice(2), terminal, withRuntime)
