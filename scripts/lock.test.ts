import * as fs from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, test, vi } from "vitest"
import { afterFile } from "@/test/after-file"
import { tempFolder } from "@/test/temp-folder"

// A command that waits for the lock reports so on standard error.
const written = vi.spyOn(process.stderr, "write").mockReturnValue(true)
afterFile(() => written.mockRestore())

/** A pid that no process has. */
const NOBODY = "99999999"

const root = tempFolder()

/** Copies the scripts, so that they lock another project, and returns their lock and its file. */
async function copyProject(name: string) {
  const scripts = path.join(root, name, "scripts")
  await fs.mkdir(scripts, { recursive: true })
  for (const file of ["lock.mjs", "project.mjs", "require-machine.mjs"])
    await fs.copyFile(path.join(import.meta.dirname, file), path.join(scripts, file))
  const { withLock } = await import(/* @vite-ignore */ path.join(scripts, "lock.mjs"))
  const dist = path.join(root, name, "dist")
  await fs.mkdir(dist)
  return { dist, withLock: withLock as (work: () => Promise<void>) => Promise<void> }
}

/** Runs four holders of one project's lock, which a killed command left. Returns how many ran at the same time at most. */
async function raceForStaleLock(name: string): Promise<number> {
  const { dist, withLock } = await copyProject(name)
  await fs.writeFile(path.join(dist, ".lock"), NOBODY)
  let [running, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    await sleep(20)
    running--
  }
  await Promise.all(Array.from({ length: 4 }, () => withLock(work)))
  return most
}

test("a lock that a killed command left is taken by one at a time", async () => {
  const races = await Promise.all(Array.from({ length: 20 }, (_, i) => raceForStaleLock(String(i))))
  expect(new Set(races)).toEqual(new Set([1]))
})

test("a command whose lock was taken meanwhile leaves the lock of the next one", async () => {
  const { dist, withLock } = await copyProject("taken")
  await withLock(() => fs.writeFile(path.join(dist, ".lock"), NOBODY))
  expect(await fs.readFile(path.join(dist, ".lock"), "utf8")).toBe(NOBODY)
})
