/** How a periodic job of a process last ran. Times are ISO texts. */
export interface JobRun {
  name: string
  everyMs: number
  isRunning: boolean
  /** Null before the first run ended. */
  endedAt: string | null
  tookMs: number | null
  /** Failed runs since the last one that succeeded. */
  failures: number
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    jobs: JobRuns
  }
}

/** Knows how the periodic jobs of this process last ran. */
export class JobRuns {
  readonly #runs = new Map<string, JobRun & { startedAt: number }>()

  add(name: string, everyMs: number): void {
    const run = { name, everyMs, isRunning: false, endedAt: null, tookMs: null, failures: 0, startedAt: 0 }
    this.#runs.set(name, run)
  }

  begin(name: string): void {
    const run = this.#runs.get(name)
    if (run) Object.assign(run, { isRunning: true, startedAt: performance.now() })
  }

  end(name: string, hasFailed: boolean): void {
    const run = this.#runs.get(name)
    if (!run) return
    run.isRunning = false
    run.endedAt = new Date().toISOString()
    run.tookMs = Math.round(performance.now() - run.startedAt)
    run.failures = hasFailed ? run.failures + 1 : 0
  }

  list(): JobRun[] {
    return [...this.#runs.values()].map(({ startedAt: _startedAt, ...run }) => run)
  }
}
