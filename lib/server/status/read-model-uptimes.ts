import type { Runtime } from "@/lib/server/platform/runtime"
import type { State } from "./read-status"

/** How a pinned model's engine worked in the last 24 hours, as all processes saw it. */
export interface ModelUptime {
  /** The share of samples in which the engine was available, from 0 to 1, rounded down to five digits. */
  uptime: number
  /** The same for each of the 24 hours, the current one last. Null for an hour without a sample. */
  hours: (number | null)[]
  state: State
  /** The minute of the last sample, as ISO 8601. */
  lastSampleAt: string
}

/**
 * Returns the uptime of the last 24 hours by pinned model id, from the report of `StatusReports`. A model without a sample is missing.
 * Public like `/status.json`, so it takes no actor.
 */
export function readModelUptimes(runtime: Runtime): ReadonlyMap<string, ModelUptime> {
  const uptimes = new Map<string, ModelUptime>()
  for (const { model, state, lastSampleAt, hours } of runtime.statusReports.current(runtime).components)
    if (model !== null && hours.total !== null)
      uptimes.set(model, { uptime: hours.total, hours: hours.steps, state, lastSampleAt })
  return uptimes
}
