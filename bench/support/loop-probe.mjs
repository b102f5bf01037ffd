/**
 * Preloaded into the built server: notes the longest time for which its main thread answered nothing, and on SIGUSR2
 * writes it to BENCH_LOOP_FILE and begins anew.
 */
import { writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { isMainThread } from "node:worker_threads"

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  process.on("SIGUSR2", () => {
    writeFileSync(process.env.BENCH_LOOP_FILE, JSON.stringify({ longestMs: delays.max / 1e6 }))
    delays.reset()
  })
}
