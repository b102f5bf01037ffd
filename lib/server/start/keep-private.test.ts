import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { beforeEach, expect, onTestFinished, test } from "vitest"
import { createLog } from "@/lib/server/platform/log"
import { keepPrivate } from "./keep-private"

let logged: string[] = []
beforeEach(() => {
  logged = []
})
const log = createLog("info", { write: (line) => void logged.push(line) })

/** Creates a data folder that every user of the machine may read, as an earlier release did. */
async function sharedFolder(): Promise<{ folder: string; modes: () => Promise<string[]> }> {
  const folder = await fs.mkdtemp(path.join(tmpdir(), "svc-private-"))
  onTestFinished(() => fs.rm(folder, { recursive: true }))
  const file = path.join(folder, "postgres.log")
  await fs.writeFile(file, "")
  await fs.chmod(folder, 0o755)
  await fs.chmod(file, 0o644)
  const modeOf = async (name: string) => ((await fs.stat(name)).mode & 0o777).toString(8)
  return { folder, modes: () => Promise.all([modeOf(folder), modeOf(file)]) }
}

test("the data folder and PostgreSQL's log are closed to other users", async () => {
  const { folder, modes } = await sharedFolder()
  await keepPrivate(folder, log)
  expect(await modes()).toEqual(["700", "600"])
  expect(logged).toEqual([])
})

test("one warning names what another user owns, and its mode stays", async () => {
  const { folder, modes } = await sharedFolder()
  await keepPrivate(folder, log, (process.getuid?.() ?? 0) + 1)
  expect(await modes()).toEqual(["755", "644"])
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, event: "data_dir.shared", reason: `${folder}, ${folder}/postgres.log` }),
  ])
})

test("a missing data folder is neither created nor reported", async () => {
  await keepPrivate(path.join(tmpdir(), `svc-missing-${process.pid}`), log)
  expect(logged).toEqual([])
})
