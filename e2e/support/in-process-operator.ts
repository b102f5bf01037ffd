import { operate } from "@/lib/server/operator/command-line"
import { connectDatabase } from "@/lib/server/platform/db/connect"
import { readEnv } from "@/lib/server/platform/env"
import { installRuntime, type Runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { keepPrinted } from "@/test/keep-printed"

interface Opened {
  runtime: Runtime
  close(): Promise<void>
}

// A process has one runtime, and a spec may use several services.
let queue: Promise<unknown> = Promise.resolve()

function sequentially<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = queue.then(work)
  queue = result.catch(() => {})
  return result
}

/** Runs operator commands in this process on a service's database. A new Node process for each takes a second of CPU. */
export class InProcessOperator {
  #opened: Promise<Opened> | null = null

  constructor(private readonly settings: Record<string, string>) {}

  /** Returns what the command printed. Rejects with its error output when the exit code is not 0. */
  run(args: string[]): Promise<string> {
    return sequentially(async () => {
      this.#opened ??= this.#open()
      const { runtime } = await this.#opened
      installRuntime(runtime)
      const { terminal, printed } = keepPrinted()
      const code = await operate(args, terminal, (work) => work()).finally(() => installRuntime(undefined))
      if (code !== 0) throw new Error(`operator ${args.join(" ")} ended with ${code}: ${printed.err}`)
      return printed.out
    })
  }

  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    await (await opened)?.close()
  }

  async #open(): Promise<Opened> {
    const env = readEnv({ NODE_ENV: "production", ...this.settings })
    const database = await connectDatabase(env, "command")
    const made = await createRuntime(env, database.pool, { role: "command" })
    const close = async () => {
      await made.close()
      await database.close()
    }
    return { runtime: made.runtime, close }
  }
}
