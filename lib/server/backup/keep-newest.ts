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
 * Keeps the `keep` newest backups among the files next to `file` whose names differ from its name only in digits. Removes the
 * others and returns their paths. Files that are no backups stay.
 */
export async function keepNewest(file: string, keep: number): Promise<string[]> {
  const dir = path.dirname(file)
  const names = (await fs.readdir(dir)).filter((name) => patternOf(name) === patternOf(path.basename(file)))
  const found = await Promise.all(
    names.map(async (name) => ({ name, at: (await fs.stat(path.join(dir, name))).mtimeMs })),
  )
  const oldest = found.sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1)).slice(keep)
  const removed: string[] = []
  for (const { name } of oldest) {
    const old = path.join(dir, name)
    if (!(await isBackup(old))) continue
    await fs.rm(old)
    removed.push(old)
  }
  return removed
}
