import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { setPriority } from "node:os"

const LINUX = process.platform === "linux"
/** On Linux, 0 names the calling thread. Elsewhere it names the process. */
const [THIS_THREAD, THIS_PROCESS] = [0, 0]

/** Lowers the priority of the calling worker thread to `nice`, from 1 to 19. Has no effect where threads have no priority. */
export function lowerThreadPriority(nice: number): void {
  if (LINUX) setPriority(THIS_THREAD, nice)
}

/**
 * Lowers the priority of every thread of this process to `nice`, from 1 to 19, and of those that they start. On Linux a priority
 * belongs to a thread, and V8 collects garbage in threads that exist before any code runs.
 */
export function lowerProcessPriority(nice: number): void {
  const threads = LINUX ? readdirSync("/proc/self/task").map(Number) : [THIS_PROCESS]
  for (const thread of threads) {
    try {
      setPriority(thread, nice)
    } catch {
      // The thread ended meanwhile.
    }
  }
  if (LINUX) lowerSessionPriority(nice)
}

/**
 * Where Linux groups processes by session, each group gets the same share of a processor, whatever the priorities of its threads.
 * A process that has a session of its own therefore lowers its group too, or the database in another session would wait for it.
 */
function lowerSessionPriority(nice: number): void {
  const stat = readFileSync("/proc/self/stat", "utf8")
  const [, , , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  if (Number(session) !== process.pid) return
  try {
    writeFileSync("/proc/self/autogroup", String(nice))
  } catch {
    // This system does not group processes by session.
  }
}
