import type { Snapshot } from "@/lib/server/platform/gauges"

/** A scrape of a process that does nothing, while the database does not answer. */
export const IDLE: Snapshot = {
  ...{
    inFlight: 0,
    openHolds: null,
    engines: [],
    redis: null,
    workers: null,
    partitions: null,
    backupAgeSeconds: null,
    rehearsalAgeSeconds: null,
  },
  ...{ readiness: null, isConsoleUp: null, ledgerDrift: null, clockSkewSeconds: null },
  pool: { open: 2, idle: 1, waiting: 0 },
}
