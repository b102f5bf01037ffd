import { spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import path from "node:path"
import { expect, it, onTestFinished, vi } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { LineWriter } from "./line-writer"
import { createLog } from "./log"

function openFile() {
  onTestFinished(() => void vi.restoreAllMocks())
  const file = path.join(tempFolder(), "log")
  return { file, fd: fs.openSync(file, "w") }
}

/** Returns the lines that were written completely. */
const linesOf = (file: string) => fs.readFileSync(file, "utf8").split("\n").slice(0, -1)

/** Lets writes to any file fail until the returned mock is restored. */
function fillDisk() {
  const fail = (...values: unknown[]) => {
    const callback = values.at(-1) as (error: Error) => void
    setImmediate(callback, Object.assign(new Error("full"), { code: "ENOSPC" }))
  }
  return vi.spyOn(fs, "write").mockImplementation(fail as typeof fs.write)
}

/** Returns the number of writes whose end the writer does not know yet. */
function watchWrites() {
  const write = fs.write as (...values: unknown[]) => void
  let pending = 0
  const watched = (...values: unknown[]) => {
    const callback = values.pop() as (...results: unknown[]) => void
    pending++
    write(...values, (...results: unknown[]) => {
      callback(...results)
      pending--
    })
  }
  vi.spyOn(fs, "write").mockImplementation(watched as typeof fs.write)
  return () => pending
}

const lineOf = (number: number) => `${String(number).padStart(999, "0")}\n`
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const REPORT = {
  level: 50,
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  event: "log.lines_dropped",
  msg: "Lines of this log could not be written",
}

it("keeps lines up to a limit while the disk is full, drops further ones, and reports how many when there is space", async () => {
  const { file, fd } = openFile()
  const writer = new LineWriter(fd)
  createLog("info", writer)
  const write = fillDisk()
  const startedAt = performance.now()
  for (let number = 0; number < 5_000; number++) {
    writer.write(lineOf(number))
    if (number % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await expect.poll(() => write.mock.calls.length).toBeGreaterThan(2)
  // One write every 100 ms. Timers may be a millisecond early.
  expect(write.mock.calls.length).toBeLessThan(3 + (performance.now() - startedAt) / 95)
  expect(fs.statSync(file).size).toBe(0)

  write.mockRestore()
  await expect.poll(() => linesOf(file).length).toBe(4_001)
  writer.write(lineOf(7_000))
  await expect.poll(() => linesOf(file).length).toBe(4_002)
  const lines = linesOf(file)
  expect(lines.slice(0, 4_000).map(Number)).toEqual(numbers(0, 4_000))
  expect(JSON.parse(lines[4_000] ?? "")).toEqual({ ...REPORT, count: 1_000 })
  expect(Number(lines[4_001])).toBe(7_000)
})

it("reports the lines of each full disk once, with the number of the worker", async () => {
  const { file, fd } = openFile()
  const writer = new LineWriter(fd)
  createLog("info", writer, 2)
  for (const [count, total] of [
    [3, 4_001],
    [1, 8_002],
  ] as const) {
    const write = fillDisk()
    for (let number = 0; number < 4_000 + count; number++) writer.write(lineOf(number))
    await expect.poll(() => write.mock.calls.length).toBeGreaterThan(1)
    write.mockRestore()
    const pending = watchWrites()
    await expect.poll(() => [linesOf(file).length, pending()]).toEqual([total, 0])
    expect(JSON.parse(linesOf(file).at(-1) ?? "")).toEqual({ ...REPORT, worker: 2, count })
    vi.restoreAllMocks()
  }
})

it("reports dropped lines when the process exits and its log can be written again", async () => {
  const program = `
    import fs from "node:fs"
    const { createLog } = await import("./lib/server/platform/log.ts")
    fs.write = (...values) => setImmediate(values.at(-1), new Error("full"))
    const log = createLog("info")
    for (let number = 0; number < 6; number++) log.info("x".repeat(999_000))
    setTimeout(() => process.exit(0), 20)`
  const { file, fd } = openFile()
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    stdio: ["ignore", "ignore", fd],
  })
  expect(await once(child, "exit")).toEqual([0, null])
  const lines = linesOf(file).map((line) => JSON.parse(line))
  expect(lines).toHaveLength(5)
  expect(lines[4]).toEqual({ ...REPORT, count: 2 })
})
