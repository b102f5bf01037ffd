import { expect, test } from "vitest"
import { prepareStatus } from "./prepare-status"

const START = "2026-11-21T11:00:00.000Z"
const uptime = (steps: (number | null)[], total: number | null) => ({
  ...{ start: START, steps, total },
  counted: steps.filter((share) => share !== null).length,
})
const FULL = uptime(Array(24).fill(1), 1)
const api = {
  component: "api" as const,
  model: null,
  state: "up" as const,
  downSince: null,
  hours: FULL,
  days: uptime([1], 1),
  lastSampleAt: START,
}

test("a service whose parts all work says so, part by part", () => {
  const { headline, parts } = prepareStatus({ at: START, state: "up", components: [api] })
  expect(headline).toBe("All systems operational")
  expect(parts).toMatchObject([
    { name: "Decisions API", sentence: "Requests are accepted.", last24Hours: "24 hours: 100%", failures: [] },
  ])
  expect([parts[0]?.hours[0]?.label, parts[0]?.hours[23]?.label]).toEqual(["11:00 UTC", "10:00 UTC"])
})

test("the headline names what fails, and each hour with a failure is listed and never rounds up to 100%", () => {
  const engine = {
    component: "engine" as const,
    model: "svc-1",
    state: "down" as const,
    downSince: null,
    hours: uptime([1, 0.5, 0.99999, null], 0.99999),
    days: uptime([null], null),
    lastSampleAt: START,
  }
  const { headline, parts } = prepareStatus({ at: START, state: "down", components: [api, engine] })
  expect(headline).toBe("A part of the service is down: svc-1")
  expect(parts[1]).toMatchObject({
    sentence: "Requests to this model get 503 model_unavailable and are not charged.",
    last24Hours: "3 of 24 hours: 99.99%",
    last90Days: "90 days: no data",
    failures: ["12:00 UTC (50%)", "13:00 UTC (99.99%)"],
  })
})

test("a part that some checks reach and others do not, and one without checks, say that and no more", () => {
  const sentences = (["degraded", "unknown"] as const).map(
    (state) => prepareStatus({ at: START, state, components: [{ ...api, state }] }).parts[0]?.sentence,
  )
  expect(sentences).toEqual([
    "Some checks of the last 3 minutes failed. When they fail: Requests fail. Failed requests are not charged.",
    "No check in the last 3 minutes, so the state is unknown.",
  ])
})

test("an uptime names only the hours and days that were checked, and a day without checks has no share", () => {
  const young = { ...api, hours: uptime([null, 1], 1), days: uptime([null, null, 1], 1) }
  const [part] = prepareStatus({ at: START, state: "up", components: [young] }).parts
  expect([part?.last24Hours, part?.last90Days]).toEqual(["1 of 24 hours: 100%", "1 of 90 days: 100%"])
  expect(part?.days).toEqual([
    { share: null, label: "21 Nov" },
    { share: null, label: "22 Nov" },
    { share: 1, label: "23 Nov" },
  ])
})

test("an outage of the database says since when, with the date of another day", () => {
  const database = { ...api, component: "database" as const, state: "down" as const, downSince: "2026-11-21T10:31:59Z" }
  const console = { ...api, component: "console" as const }
  const at = (time: string) => prepareStatus({ at: time, state: "down", components: [console, database] })
  expect(at("2026-11-21T11:00:00.000Z")).toMatchObject({
    headline: "Database down since 10:31 UTC",
    parts: [
      { sentence: "The console runs, but most of its pages need the database." },
      {
        sentence: "Down since 10:31 UTC. Nothing can be charged or read, so requests and pages fail.",
      },
    ],
  })
  expect(at("2026-11-22T00:00:00.000Z").headline).toBe("Database down since 21 Nov 2026, 10:31 UTC")
})
