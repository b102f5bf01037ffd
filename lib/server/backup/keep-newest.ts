import * as fs from "node:fs/promises"
import path from "node:path"
import { BackupReader } from "./backup-file"

const patternOf = (name: string): string => name.replace(/\d+/g, "#")

async function isBackup(file: string): Promise<boolean> {
  const opened = await BackupReader.open(file).catch(() => null)
  await opened?.reader.close()
  return opened !== null
}

/**
 * Keeps the new backup `file` and the newest others next to it whose names differ from its name only in digits, `keep` in all.
 * Removes the rest and returns their paths. Files that are no backups stay and do not count.
 */
export async function keepNewest(file: string, keep: number): Promise<string[]> {
  const dir = path.dirname(file)
  const own = path.basename(file)
  const names = (await fs.readdir(dir)).filter((name) => name !== own && patternOf(name) === patternOf(own))
  const found = await Promise.all(
    names.map(async (name) => ({ name, at: (await fs.stat(path.join(dir, name))).mtimeMs })),
  )
  const newestFirst = found.sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
  const removed: string[] = []
  let kept = 1
  for (const { name } of newestFirst) {
    const old = path.join(dir, name)
    if (!(await isBackup(old)) || ++kept <= keep) continue
    await fs.rm(old)
    removed.push(old)
  }
  return removed
}
