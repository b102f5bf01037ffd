import { BackupReader, unpack } from "./backup-format"
import { type BackupFile, type BackupPlace, nameOf } from "./backup-place"
import { peek } from "./encryption"

const patternOf = (name: string): string => name.replace(/\d+/g, "#")

/** Returns whether a file begins as a backup does. One that is encrypted may need another key than today's, so it counts as one. */
async function isBackup(place: BackupPlace, file: string): Promise<boolean> {
  try {
    const { isEncrypted, all } = await peek(place.read(file))
    const iterator = all[Symbol.asyncIterator]()
    if (isEncrypted) {
      await iterator.next()
      await iterator.return?.()
      return true
    }
    const { reader } = await BackupReader.open(unpack(all))
    await reader.close()
    return true
  } catch {
    return false
  }
}

/**
 * Keeps the new backup `target` and the newest others next to it whose names differ from its name only in digits, `keep` in all.
 * Removes the rest and returns their names. Files that are no backups stay and do not count.
 */
export async function keepNewest(target: BackupFile, keep: number): Promise<string[]> {
  const { place, file: own } = target
  const others = (await place.list()).filter(({ file }) => file !== own && patternOf(file) === patternOf(own))
  const newestFirst = others.sort((a, b) => b.changedAtMs - a.changedAtMs || (a.file < b.file ? 1 : -1))
  const removed: string[] = []
  let kept = 1
  for (const { file } of newestFirst) {
    if (!(await isBackup(place, file)) || ++kept <= keep) continue
    await place.remove(file)
    removed.push(nameOf({ place, file }))
  }
  return removed
}
