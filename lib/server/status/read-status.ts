import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { SigningKey } from "@/lib/server/signing/signing-keys"
import { DAY_MS, HOUR_MS } from "@/lib/shared/time"

/** "degraded" when some samples of the last three minutes failed and others did not. "unknown" without such a sample. */
export type State = "up" | "degraded" | "down" | "unknown"

/** The share of samples that succeeded, from 0 to 1, in equal steps of time from `start` on. Null without samples. */
export interface Uptime {
  /** ISO 8601. */
  start: string
  steps: (number | null)[]
  /** Over the steps that have samples. `counted` is their number. */
  total: number | null
  counted: number
}

export interface ComponentStatus {
  component: "api" | "console" | "database" | "mail" | "payments" | "engine"
  /** The pinned model of an engine, else null. */
  model: string | null
  state: State
  /** Since when the part is down, as ISO 8601, if this process saw it begin. Else null. */
  downSince: string | null
  /** The start of the minute of the last sample of the last 24 hours, as ISO 8601. */
  lastSampleAt: string
  hours: Uptime
  days: Uptime
}

export interface PartsReport {
  /** When the states were known. The uptimes can be older while the database cannot be read. */
  at: string
  /** The worst state of all parts that are known. */
  state: State
  components: ComponentStatus[]
}

/** What `/status.json` says. */
export interface StatusReport extends PartsReport {
  /** The keys with which the installation signed or signs, oldest first. */
  signingKeys: SigningKey[]
}

const HOURS = 24
const DAYS = 90
/** A part counts as unknown when no process took a sample for this long. */
export const RECENT_MS = 3 * 60_000

/** The parts in the order in which they are shown. */
const ORDER = ["api", "console", "database", "mail", "payments", "engine"] as const
const WORST: State[] = ["down", "degraded", "up", "unknown"]

type StatusRow = Row<"StatusSum", "component" | "start" | "samples" | "failures"> & {
  unit: "minute" | "day"
  last: Date
  recent_samples: number | null
  recent_failures: number | null
}

const READ = `
  SELECT component, unit, date_trunc(CASE unit WHEN 'minute' THEN 'hour' ELSE 'day' END, start, 'UTC') AS start,
    sum(samples)::int AS samples, sum(failures)::int AS failures, max(start) AS last,
    sum(samples) FILTER (WHERE unit = 'minute' AND start >= $3)::int AS recent_samples,
    sum(failures) FILTER (WHERE unit = 'minute' AND start >= $3)::int AS recent_failures
  FROM status_sum AS s WHERE (unit = 'minute' AND start >= $1) OR (unit = 'day' AND start >= $2)
  GROUP BY 1, 2, 3`

/** Reads the state of every part that was sampled in the last 24 hours, with its uptime by hour and by UTC day. */
export async function readStatus({ pool }: Runtime, now = new Date()): Promise<PartsReport> {
  const since = {
    hour: Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS,
    day: Math.floor(now.getTime() / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS,
  }
  const recent = new Date(now.getTime() - RECENT_MS)
  const { rows } = await pool.query<StatusRow>(READ, [new Date(since.hour), new Date(since.day), recent])
  const names = [...new Set(rows.filter(({ unit }) => unit === "minute").map(({ component }) => component))]
  const components = names.map((name): ComponentStatus => {
    const own = rows.filter(({ component }) => component === name)
    const [component, model = null] = name.split(/:(.*)/s) as [ComponentStatus["component"], string | undefined]
    const of = (unit: StatusRow["unit"]) => own.filter((row) => row.unit === unit)
    return {
      component,
      model,
      state: stateOf(own),
      downSince: null,
      lastSampleAt: new Date(Math.max(...of("minute").map(({ last }) => last.getTime()))).toISOString(),
      hours: uptimeOf(of("minute"), since.hour, HOUR_MS, HOURS),
      days: uptimeOf(of("day"), since.day, DAY_MS, DAYS),
    }
  })
  components.sort((a, b) => rank(a) - rank(b) || (a.model ?? "").localeCompare(b.model ?? ""))
  return { at: now.toISOString(), state: worstOf(components), components }
}

const rank = ({ component }: ComponentStatus): number => ORDER.indexOf(component)

/** Returns the worst state of the parts that are known. */
export const worstOf = (components: ComponentStatus[]): State =>
  WORST.find((state) => components.some((component) => component.state === state)) ?? "unknown"

function stateOf(rows: StatusRow[]): State {
  const samples = rows.reduce((sum, row) => sum + (row.recent_samples ?? 0), 0)
  const failures = rows.reduce((sum, row) => sum + (row.recent_failures ?? 0), 0)
  if (samples === 0) return "unknown"
  return failures === 0 ? "up" : failures === samples ? "down" : "degraded"
}

/** Never rounds a failure up to 1. */
const shareOf = (samples: number, failures: number): number | null =>
  samples === 0 ? null : Math.floor((1 - failures / samples) * 1e5) / 1e5

function uptimeOf(rows: StatusRow[], since: number, stepMs: number, count: number): Uptime {
  const steps = Array<number | null>(count).fill(null)
  let samples = 0
  let failures = 0
  for (const row of rows) {
    const step = (row.start.getTime() - since) / stepMs
    // A sample that was taken after the time of the report is in the next step.
    if (step >= count) continue
    steps[step] = shareOf(row.samples, row.failures)
    samples += row.samples
    failures += row.failures
  }
  const counted = steps.filter((share) => share !== null).length
  return { start: new Date(since).toISOString(), steps, total: shareOf(samples, failures), counted }
}
