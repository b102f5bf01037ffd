import { expect, test } from "vitest"
import { pico } from "@/lib/shared/money"
import { type Known, listConcerns } from "./list-concerns"

const NOW = Date.parse("2026-11-22T12:00:00Z")
const TODAY = "2026-11-22T11:00:00.000Z"
const BACKUP = { takenAt: TODAY, bytes: 1, rehearsedAt: TODAY, everyHours: 24 }

const fine: Known = {
  health: {
    server: {
      serves: "all",
      host: "a",
      pid: 1,
      startedAt: TODAY,
      node: "v24.0.0",
      fault: null,
      engines: [],
      redis: "ok",
      connections: { open: 1, idle: 1, waiting: 0, max: 10 },
      jobs: [{ name: "usage", everyMs: 1, isRunning: false, endedAt: TODAY, tookMs: 1, failures: 0 }],
    },
    database: {
      version: "18",
      bytes: 1,
      connections: 1,
      maxConnections: 100,
      schema: "a",
      latencyMs: 1,
      isEmbedded: false,
    },
    backup: BACKUP,
    mail: "ok",
    mailQueue: { waiting: 0, givenUp: 0 },
    version: { release: "1", build: null },
    disagreements: { otherSecrets: [], ignoredEngines: [] },
  },
  accounts: {
    accounts: 1,
    active: 1,
    suspended: 0,
    closed: 0,
    negative: 0,
    balancePico: pico(0),
    heldPico: pico(0),
  },
  payments: {
    enabled: true,
    livemode: true,
    paidUsd: "0",
    refundedUsd: "0",
    disputedUsd: "0",
    waiting: 0,
    overdue: 0,
    attention: 0,
    disputed: 0,
    differing: [],
    eventsReadUntil: TODAY,
    failedEvents: [],
  },
  checks: [{ id: "1", requestedAt: TODAY, finishedAt: TODAY, tookMs: 1, ok: true, checks: [] }],
  models: [],
}

const titles = (known: Known): string[] => listConcerns(known, NOW).map(({ title }) => title)
const ofHealth = (change: object): string[] => titles({ ...fine, health: { ...fine.health, ...change } })
const ofServer = (change: object): string[] =>
  ofHealth({ server: fine.health.server && { ...fine.health.server, ...change } })
const ofPayments = (change: object): string[] => titles({ ...fine, payments: { ...fine.payments, ...change } })
const ofCheck = (change: object): string[] =>
  titles({ ...fine, checks: fine.checks.map((check) => ({ ...check, ...change })) })

test("a healthy service needs no attention", () => {
  expect(titles(fine)).toEqual([])
})

test("each part that is broken or old is named", () => {
  expect(ofCheck({ ok: false, checks: [{ name: "n", ok: false, violations: 2 }] })).toEqual([
    "The ledger violates an invariant",
  ])
  expect(ofCheck({ ok: null })).toEqual(["The last check of the ledger failed"])
  expect(ofCheck({ finishedAt: "2026-11-15T11:00:00.000Z" })).toEqual(["The ledger was not verified for a week"])
  expect(titles({ ...fine, checks: [] })).toEqual(["The ledger was never verified"])
  expect(ofPayments({ differing: ["top_1"] })).toEqual(["1 top-up differs from the ledger"])
  expect(ofPayments({ overdue: 2 })).toEqual(["2 top-ups wait for Stripe"])
  expect(ofPayments({ attention: 1 })).toEqual(["1 checkout needs attention"])
  expect(ofPayments({ disputed: 1 })).toEqual(["1 top-up is disputed"])
  expect(ofHealth({ database: null })).toEqual(["The database does not reply"])
  expect(ofHealth({ mail: "unreachable" })).toEqual(["No mail can be sent"])
  expect(ofHealth({ mailQueue: { waiting: 3, givenUp: 2 } })).toEqual(["2 mails were given up"])
  const none = { takenAt: null, bytes: null, rehearsedAt: null, everyHours: 0 }
  expect(ofHealth({ backup: none })).toEqual(["There is no backup"])
  expect(ofHealth({ backup: { ...BACKUP, takenAt: "2026-11-20T11:00:00.000Z" } })).toEqual(["The last backup is old"])
  const notRehearsed = ["No backup was rehearsed in the last 32 days"]
  expect(ofHealth({ backup: { ...BACKUP, rehearsedAt: null } })).toEqual(notRehearsed)
  expect(ofHealth({ backup: { ...BACKUP, rehearsedAt: "2026-10-01T11:00:00.000Z" } })).toEqual(notRehearsed)
  expect(ofServer({ fault: "database_full" })).toEqual(["Decisions cannot be charged"])
  expect(ofServer({ redis: "degraded" })).toEqual(["Redis is unreachable"])
  expect(
    ofServer({ jobs: [{ name: "usage", everyMs: 1, isRunning: false, endedAt: TODAY, tookMs: 1, failures: 3 }] }),
  ).toEqual(["1 job fails: usage"])
  expect(titles({ ...fine, accounts: { ...fine.accounts, negative: 3 } })).toEqual(["3 accounts are below zero"])
})

test("an unknown server state is no concern by itself, and broken parts come before old ones", () => {
  expect(ofHealth({ server: null })).toEqual([])
  const known = { ...fine, checks: [], health: { ...fine.health, mail: "unreachable" as const } }
  expect(titles(known)).toEqual(["No mail can be sent", "The ledger was never verified"])
})

test("servers that disagree are named", () => {
  const disagreements = { otherSecrets: ["a", "a"], ignoredEngines: [{ host: "b", url: "http://127.0.0.1:9" }] }
  expect(ofHealth({ disagreements })).toEqual([
    "Servers have different AUTH_SECRETs",
    "A server on b has http://127.0.0.1:9 as its ENGINE_URL",
  ])
  expect(ofHealth({ disagreements: null })).toEqual([])
})

test("an address that does not answer is named while others answer for its model", () => {
  const address = { url: "http://127.0.0.1:9", isDraining: false, available: false, reason: "It is down." }
  const model = { id: "m", kind: "pinned", status: "active", available: true, reason: null, addresses: [address] }
  const ofModel = (change: object) => titles({ ...fine, models: [{ ...model, ...change } as never] })
  expect(ofModel({})).toEqual(["http://127.0.0.1:9 does not answer for m"])
  expect(ofModel({ addresses: [{ ...address, isDraining: true }] })).toEqual([])
  expect(ofModel({ available: false })).toEqual(["m is unavailable"])
})
