import type { Worker } from "node:worker_threads"
import { startWorker } from "@/lib/server/platform/start-worker"
import { WorkerPool } from "@/lib/server/platform/worker-pool"
import type { LiveFigures, LiveOutcome, LiveRule } from "@/lib/shared/outcomes/live-figures"
import type { SentOutcomes } from "./figures-worker"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    outcomeFigures: OutcomeFigures
  }
}

export interface OutcomeFigures {
  /** Returns `liveFigures` of outcomes, of which there is at least one. Rejects when the worker dies or cannot start. */
  of(outcomes: readonly LiveOutcome[], rule: LiveRule): Promise<LiveFigures>
  /** Stops the worker. Pending figures reject. */
  close(): Promise<void>
}

/** Computes figures in one worker, which starts when first needed, because they take up to a second and pages must not wait for them. */
export function createOutcomeFigures(start: () => Worker = startFiguresWorker): OutcomeFigures {
  const pool = new WorkerPool<SentOutcomes, LiveFigures>(start, 1)
  return {
    of: (outcomes, rule) => pool.run({ outcomes, rule }, []),
    close: () => pool.close(),
  }
}

const startFiguresWorker = (): Worker => startWorker("figures-worker", new URL("./figures-worker.ts", import.meta.url))
