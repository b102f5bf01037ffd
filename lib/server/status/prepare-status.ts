import { formatHour } from "@/lib/shared/format"
import { HOUR_MS } from "@/lib/shared/time"
import type { ComponentStatus, State, StatusReport, Uptime } from "./read-status"

export interface HourBar {
  /** The share of checks that succeeded, from 0 to 1. Null without checks. */
  share: number | null
  /** "14:00 UTC" */
  hour: string
}

export interface PartView {
  name: string
  /** The pinned model, in the monospace font. */
  model: string | null
  state: State
  /** What the state means for a user, in one sentence. */
  sentence: string
  bars: HourBar[]
  /** "100%" */
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

const UNKNOWN = "No check in the last 3 minutes, so the state is unknown."

function sentenceOf({ component, state }: ComponentStatus): string {
  switch (state) {
    case "up":
      return WHEN_UP[component]
    case "degraded":
      return `Some checks of the last 3 minutes failed. When they fail: ${WHEN_DOWN[component]}`
    case "down":
      return WHEN_DOWN[component]
    case "unknown":
      return UNKNOWN
  }
}

/** Formats a share with at most two decimals, rounded down so that only a full uptime reads 100%. */
const percent = (share: number | null): string =>
  share === null ? "no data" : `${Math.floor(share * 10_000 + 1e-6) / 100}%`

const barsOf = ({ start, steps }: Uptime): HourBar[] =>
  steps.map((share, index) => ({
    share,
    hour: `${formatHour(new Date(Date.parse(start) + index * HOUR_MS))} UTC`,
  }))

function partOf(status: ComponentStatus): PartView {
  const bars = barsOf(status.hours)
  return {
    name: NAMES[status.component],
    model: status.model,
    state: status.state,
    sentence: sentenceOf(status),
    bars,
    last24Hours: percent(status.hours.total),
    last90Days: percent(status.days.total),
    failures: bars.flatMap(({ share, hour }) => (share !== null && share < 1 ? [`${hour} (${percent(share)})`] : [])),
  }
}

const HEADLINES: Record<State, string> = {
  up: "Everything works",
  degraded: "Some checks fail",
  down: "A part of the service is down",
  unknown: "The state is unknown",
}

/** Returns the headline of the page, which names the parts that do not work. */
function headlineOf(state: State, parts: PartView[]): string {
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
export function prepareStatus({ state, components }: StatusReport): StatusView {
  const parts = components.map(partOf)
  return { headline: headlineOf(state, parts), state, parts }
}
