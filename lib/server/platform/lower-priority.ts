import { readdirSync } from "node:fs"
import { getPriority, setPriority } from "node:os"

const LINUX = process.platform === "linux"
/** On Linux, 0 names the calling thread. Elsewhere it names the process. */
const [THIS_THREAD, THIS_PROCESS] = [0, 0]

/** Lowers the priority of the calling worker thread to `nice`, from 1 to 19. Has no effect where threads have no priority. */
export function lowerThreadPriority(nice: number): void {
  if (LINUX) setPriority(THIS_THREAD, nice)
}

/** Lowers the priority of a thread. Returns false when it had the priority already, or has ended. */
function lower(thread: number, nice: number): boolean {
  try {
    if (getPriority(thread) === nice) return false
    setPriority(thread, nice)
    return true
  } catch {
    return false
  }
}

/**
 * Lowers the priority of every thread of this process to `nice`, from 1 to 19, and of those that they start. On Linux a priority
 * belongs to a thread, and V8 collects garbage in threads that exist before any code runs.
 */
export function lowerProcessPriority(nice: number): void {
  if (!LINUX) setPriority(THIS_PROCESS, nice)
  // A thread that still had its priority may have started another one meanwhile.
  else while (readdirSync("/proc/self/task").filter((thread) => lower(Number(thread), nice)).length > 0);
}
