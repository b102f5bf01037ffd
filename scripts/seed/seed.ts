import { connectDatabase } from "@/lib/server/platform/db/connect"
import { readEnv } from "@/lib/server/platform/env"
import { installRuntime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { OWNER } from "./demo-account"
import { writeDemoSet } from "./demo-set"
import { ANYWAY, refuseProduction } from "./refuse-production"
import { seedDemo } from "./seed-demo"

const SIZE = { requests: 56_000, days: 60 }

/** Fills the service's database with the demo, whether a server is running or not, and writes a set for the page Evaluate. */
export async function seed(args: readonly string[]): Promise<void> {
  const unknown = args.find((arg) => arg !== ANYWAY)
  if (unknown !== undefined) throw new Error(`Unknown option ${unknown}. The only option is ${ANYWAY}.`)
  const env = readEnv()
  if (!args.includes(ANYWAY)) refuseProduction(env)
  const startedAt = performance.now()
  const database = await connectDatabase(env, "command")
  const { runtime, close } = await createRuntime(env, database.pool, { role: "command" })
  installRuntime(runtime)
  try {
    await seedDemo(runtime, SIZE)
    const file = await writeDemoSet(env.DATA_DIR)
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    process.stdout.write(`Seeded in ${seconds} s. Sign in as ${OWNER}. On the page Evaluate, import ${file}.\n`)
  } finally {
    await close()
    installRuntime(undefined)
    await database.close()
  }
}
