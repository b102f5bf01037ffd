import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"

const PROGRAM = `
  import { readdirSync } from "node:fs"
  import { getPriority } from "node:os"
  import { Worker } from "node:worker_threads"
  import { once } from "node:events"
  import { lowerProcessPriority } from "@/lib/server/platform/lower-priority"
  lowerProcessPriority(7)
  const worker = new Worker("setInterval(() => {}, 1000); require('node:worker_threads').parentPort.postMessage('ready')", { eval: true, execArgv: [] })
  await once(worker, "message")
  console.log(JSON.stringify(readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)))))
  await worker.terminate()
`

test.runIf(process.platform === "linux")(
  "every thread of a process gets the lower priority, also a later one",
  async () => {
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", PROGRAM], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    const priorities: number[] = JSON.parse(await text(child.stdout))
    expect(priorities.length).toBeGreaterThan(4)
    expect([...new Set(priorities)]).toEqual([7])
  },
)
