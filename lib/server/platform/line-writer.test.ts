import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { expect, it, onTestFinished, vi } from "vitest"
import { LineWriter } from "./line-writer"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "lines-"))

it("keeps lines up to a limit while the disk is full, drops further ones, and continues when there is space", async () => {
  const file = path.join(folder, "log")
  const fd = fs.openSync(file, "w")
  onTestFinished(() => {
    vi.restoreAllMocks()
    fs.rmSync(folder, { recursive: true })
  })
  const writer = new LineWriter(fd)
  const fail = (...values: unknown[]) => {
    const callback = values.at(-1) as (error: Error) => void
    setImmediate(callback, Object.assign(new Error("full"), { code: "ENOSPC" }))
  }
  const write = vi.spyOn(fs, "write").mockImplementation(fail as typeof fs.write)
  const lineOf = (number: number) => `${String(number).padStart(999, "0")}\n`
  for (let number = 0; number < 5_000; number++) {
    writer.write(lineOf(number))
    if (number % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await expect.poll(() => write.mock.calls.length).toBeGreaterThan(2)
  expect(write.mock.calls.length).toBeLessThan(100)
  expect(fs.statSync(file).size).toBe(0)

  write.mockRestore()
  const numbers = () => fs.readFileSync(file, "utf8").trimEnd().split("\n").map(Number)
  await expect.poll(() => fs.statSync(file).size).toBe(4_000_000)
  writer.write(lineOf(7_000))
  await expect.poll(() => fs.statSync(file).size).toBe(4_001_000)
  expect(numbers()).toEqual([...Array.from({ length: 4_000 }, (_, number) => number), 7_000])
})
