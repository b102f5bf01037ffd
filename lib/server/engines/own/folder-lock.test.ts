import * as fs from "node:fs/promises"
import path from "node:path"
import { setImmediate, setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { withFolderLock } from "./folder-lock"

const root = tempFolder()

const listen = () => {}

/** Runs four holders of one folder's lock, which a killed process left. Returns how many ran at the same time at most. */
async function raceForStaleLock(name: string): Promise<number> {
  const folder = path.join(root, name)
  await fs.mkdir(folder)
  const left = new Date(Date.now() - 60_000)
  await fs.writeFile(path.join(folder, ".lock"), "1")
  await fs.utimes(path.join(folder, ".lock"), left, left)
  let [running, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    await sleep(20)
    running--
  }
  // Each begins during another step of the one before.
  const take = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    await withFolderLock(folder, { onWait: listen }, work)
  }
  await Promise.all([0, 1, 2, 3].map(take))
  return most
}

it("a lock that a killed process left is taken by one at a time", async () => {
  const races = await Promise.all(Array.from({ length: 20 }, (_, i) => raceForStaleLock(String(i))))
  expect(new Set(races)).toEqual(new Set([1]))
})

it("a holder whose lock was taken meanwhile leaves the lock of the next one", async () => {
  const file = path.join(root, ".lock")
  await withFolderLock(root, { onWait: listen }, () => fs.writeFile(file, "1"))
  expect(await fs.readFile(file, "utf8")).toBe("1")
})
