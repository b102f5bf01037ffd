import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import * as readline from "node:readline"
import { inject } from "vitest"
import { afterFile } from "./after-file"
import type { SpendSettings } from "./spend-process"

interface Payer {
  accountId: string
  keyId: string
}

export interface Spender {
  child: ChildProcess
  /** The ids of the charges that it confirmed since the last `spend`. */
  charged: string[]
  /** Spends a payer's money. Resolves to how it was refused. */
  spend(payer: Payer): Promise<string>
  /** Ends the process as a stop would. */
  end(): Promise<unknown>
  exited: Promise<unknown>
}

/** Starts a process that spends money as fast as it can. It is killed after the test file. */
export async function startSpendProcess(settings: SpendSettings): Promise<Spender> {
  const program = path.join(inject("programs"), "spend-process.js")
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], { stdio: ["pipe", "pipe", "inherit"] })
  afterFile(() => void child.kill("SIGKILL"))
  const exited = once(child, "close")
  const charged: string[] = []
  let onEnd = (_: string) => {}
  await new Promise<void>((resolve, reject) => {
    void exited.then(() => reject(new Error("the process ended")))
    readline.createInterface({ input: child.stdout }).on("line", (line) => {
      if (line === "ready") resolve()
      else if (line.startsWith("ended ")) onEnd(line.slice(6))
      else charged.push(line)
    })
  })
  const spend = (payer: Payer) => {
    charged.length = 0
    child.stdin?.write(`${JSON.stringify(payer)}\n`)
    return new Promise<string>((resolve) => {
      onEnd = resolve
    })
  }
  const end = () => {
    child.stdin?.end()
    return exited
  }
  return { child, charged, spend, end, exited }
}
