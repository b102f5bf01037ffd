import { countOf, formatMs } from "@/lib/shared/format"

/** The states of a server, as pages and commands name them. */
export const FLEET_STATES = {
  ready: { label: "Ready", tone: "ok" },
  not_ready: { label: "Not ready", tone: "warn" },
  running: { label: "Running", tone: "neutral" },
  lost: { label: "Lost", tone: "danger" },
  stopped: { label: "Stopped", tone: "neutral" },
} as const

/** Returns how many jobs a server runs, or which of them fail; null when it did not report them. */
export function jobsText({ jobs, failingJobs }: { jobs: number | null; failingJobs: string[] }): string | null {
  if (failingJobs.length > 0) return `Failing: ${failingJobs.join(", ")}`
  return jobs === null ? null : countOf(jobs, "job")
}

/** Returns how far a server's clock is ahead of the database's, or behind it; null when that is unknown. */
export function clockText({ clockAheadMs }: { clockAheadMs: number | null }): string | null {
  if (clockAheadMs === null) return null
  return `${formatMs(Math.abs(clockAheadMs))} ${clockAheadMs < 0 ? "behind" : "ahead"}`
}
