/**
 * Preloaded into the built server. Every millisecond, it measures how long the main thread was blocked. It also measures how
 * much of that time the thread ran instead of waiting for a processor. SIGUSR2 writes both maxima to BENCH_LOOP_FILE and resets
 * them.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { isMainThread } from "node:worker_threads"

/** Returns the thread's processor time in milliseconds. Only Linux reports it; elsewhere all elapsed time counts. */
function ranMs() {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ", 1)[0]) / 1e6
  } catch {
    return performance.now()
  }
}

if (isMainThread) {
  let longest = { heldMs: 0, workedMs: 0 }
  let at = performance.now()
  let ran = ranMs()
  setInterval(() => {
    const [now, nowRan] = [performance.now(), ranMs()]
    longest = { heldMs: Math.max(longest.heldMs, now - at), workedMs: Math.max(longest.workedMs, nowRan - ran) }
    at = now
    ran = nowRan
  }, 1).unref()
  process.on("SIGUSR2", () => {
    writeFileSync(process.env.BENCH_LOOP_FILE, JSON.stringify(longest))
    longest = { heldMs: 0, workedMs: 0 }
  })
}
