import { statfsSync } from "node:fs"

/** The folder that Linux keeps in memory. */
export const MEMORY = "/dev/shm"

/** Returns whether Linux has this folder with more than `bytes` free. In a container it often has 64 MB. */
export function memoryHasRoom(bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > bytes
  } catch {
    return false
  }
}
