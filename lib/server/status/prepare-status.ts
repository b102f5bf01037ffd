import { formatDateTime, formatDay, formatHour } from "@/lib/shared/format"
import { DAY_MS, dayOf, HOUR_MS } from "@/lib/shared/time"
import type { ComponentStatus, PartsReport, State, Uptime } from "./read-status"

/** An hour or a day. */
export interface Bar {
  /** The share of checks that succeeded, from 0 to 1. Null without checks. */
  share: number | null
  /** "14:00 UTC" or "21 Nov" */
  label: string
}

export interface PartView {
  name: string
  /** The pinned model, in the monospace font. */
  model: string | null
  state: State
  /** What the state means for a user, in one sentence. */
  sentence: string
  hours: Bar[]
  days: Bar[]
  /** "24 hours: 100%". Only the hours that have checks count: "2 of 24 hours: 100%". */
  last24Hours: string
  last90Days: string
  /** "14:00 UTC (98.21%)" for every hour with a failed check. */
  failures: string[]
}

type Component = ComponentStatus["component"]

const NAMES: Record<Component, string> = {
  api: "Decisions API",
  console: "Console",
  database: "Database",
  mail: "Sign-in mail",
  payments: "Payments",
  engine: "Model",
}

const WHEN_UP: Record<Component, string> = {
  api: "Requests are accepted.",
  console: "Pages load.",
  database: "Requests can be charged, and pages can be read.",
  mail: "Mail is delivered to the mail server.",
  payments: "Stripe can be reached.",
  engine: "The model answers.",
}

const WHEN_DOWN: Record<Component, string> = {
  api: "Requests fail. Failed requests are not charged.",
  console: "Pages may not load. The API is not affected.",
  database: "Nothing can be charged or read, so requests and pages fail.",
  mail: "Sign-in links may not arrive. You stay signed in where you are.",
  payments: "Top-ups may wait. Payments that you made are credited later.",
  engine: "Requests to this model get 503 model_unavailable and are not charged.",
}

const CONSOLE_ALONE = "The console runs, but most of its pages need the database."
const UNKNOWN = "No check in the last 3 minutes, so the state is unknown."

/** Formats the begin of an outage: "14:31 UTC", with its date when that is not the day of `now`. */
function sinceOf(since: string, now: string): string {
  const at = new Date(since)
  return `${dayOf(at) === dayOf(new Date(now)) ? formatHour(at) : formatDateTime(at)} UTC`
}

function sentenceOf({ component, state, downSince }: ComponentStatus, { at: now, components }: PartsReport): string {
  const isOutage = components.some((part) => part.component === "database" && part.state === "down")
  switch (state) {
    case "up":
      return component === "console" && isOutage ? CONSOLE_ALONE : WHEN_UP[component]
    case "degraded":
      return `Some checks of the last 3 minutes failed. When they fail: ${WHEN_DOWN[component]}`
    case "down":
      return `${downSince ? `Down since ${sinceOf(downSince, now)}. ` : ""}${WHEN_DOWN[component]}`
    case "unknown":
      return UNKNOWN
  }
}

/** Formats a share with at most two decimals, rounded down so that only a full uptime reads 100%. */
const percent = (share: number | null): string =>
  share === null ? "no data" : `${Math.floor(share * 10_000 + 1e-6) / 100}%`

const barsOf = ({ start, steps }: Uptime, stepMs: number, labelOf: (at: Date) => string): Bar[] =>
  steps.map((share, index) => ({ share, label: labelOf(new Date(Date.parse(start) + index * stepMs)) }))

/** Names the time that an uptime is about, and never more of it than was checked. */
const uptimeOf = ({ total, counted }: Uptime, length: number, unit: string): string =>
  `${counted > 0 && counted < length ? `${counted} of ${length}` : length} ${unit}: ${percent(total)}`

function partOf(status: ComponentStatus, report: PartsReport): PartView {
  const hours = barsOf(status.hours, HOUR_MS, (at) => `${formatHour(at)} UTC`)
  return {
    name: NAMES[status.component],
    model: status.model,
    state: status.state,
    sentence: sentenceOf(status, report),
    hours,
    days: barsOf(status.days, DAY_MS, formatDay),
    last24Hours: uptimeOf(status.hours, 24, "hours"),
    last90Days: uptimeOf(status.days, 90, "days"),
    failures: hours.flatMap(({ share, label }) =>
      share !== null && share < 1 ? [`${label} (${percent(share)})`] : [],
    ),
  }
}

const HEADLINES: Record<State, string> = {
  up: "All systems operational",
  degraded: "Degraded",
  down: "A part of the service is down",
  unknown: "The state is unknown",
}

/** Returns the headline of the page, which names the parts that do not work. Without a database, none of the others matters. */
function headlineOf({ at, state, components }: PartsReport, parts: PartView[]): string {
  const since = components.find(({ component }) => component === "database")?.downSince
  if (since) return `Database down since ${sinceOf(since, at)}`
  const faulty = parts.filter((part) => part.state === "down" || part.state === "degraded")
  if (faulty.length === 0) return HEADLINES[state]
  return `${HEADLINES[state]}: ${faulty.map(({ name, model }) => model ?? name).join(", ")}`
}

export interface StatusView {
  headline: string
  state: State
  parts: PartView[]
}

/** Returns what a status page shows of a report. */
export function prepareStatus(report: PartsReport): StatusView {
  const parts = report.components.map((part) => partOf(part, report))
  return { headline: headlineOf(report, parts), state: report.state, parts }
}
