import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { text } from "node:stream/consumers"
import { expect, test } from "vitest"

const PROGRAM = `
  import { readdirSync, readFileSync } from "node:fs"
  import { getPriority } from "node:os"
  import { lowerProcessPriority } from "@/lib/server/platform/lower-priority"
  lowerProcessPriority(7)
  const threads = readdirSync("/proc/self/task").map((thread) => getPriority(Number(thread)))
  const group = readFileSync("/proc/self/autogroup", "utf8")
  console.log(JSON.stringify({ threads: threads.length, priorities: [...new Set(threads)], group: group.trim().split(" ").at(-1) }))
`

async function prioritiesOf(detached: boolean): Promise<Record<string, unknown>> {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", PROGRAM], {
    detached,
    stdio: ["ignore", "pipe", "inherit"],
  })
  return JSON.parse(await text(child.stdout))
}

const onLinux = test.runIf(process.platform === "linux" && existsSync("/proc/self/autogroup"))

onLinux("every thread of a process gets the lower priority, and so does the session that it leads", async () => {
  const { threads, ...lowered } = await prioritiesOf(true)
  expect(threads).toBeGreaterThan(4)
  expect(lowered).toEqual({ priorities: [7], group: "7" })
})

onLinux("a session that other processes lead keeps its priority", async () => {
  expect(await prioritiesOf(false)).toMatchObject({ priorities: [7], group: "0" })
})
