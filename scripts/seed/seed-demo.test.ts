import { expect, onTestFinished, test } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { readEnv } from "@/lib/server/platform/env"
import { runtime } from "@/lib/server/platform/runtime"
import { readSetFile } from "@/lib/shared/evaluate/export/set-file"
import { testRuntime } from "@/test/database"
import { demoSetFile } from "./demo-set"
import { refuseProduction } from "./refuse-production"
import { seedDemo } from "./seed-demo"

// The built-in scorer is not in the catalogue of a service with an engine.
await testRuntime({ ENGINE_URL: "http://127.0.0.1:9" })
await seedDemo(runtime(), { requests: 1_120, days: 60 })

const count = async (sql: string): Promise<number> =>
  Number((await runtime().pool.query<{ n: string }>(`SELECT count(*) AS n FROM (${sql}) counted`)).rows[0]?.n)

test("the demo's ledger is sound, because its money moved as all money does", async () => {
  const { ok, checks } = await verifyLedger(runtime(), { all: true })
  expect(checks.filter((check) => !check.ok)).toEqual([])
  expect(ok).toBe(true)
})

test("every request was charged or refused, over 60 days, and none is left open", async () => {
  const charged = await count("SELECT FROM ledger_entry WHERE kind = 'charge'")
  expect(charged + (await count("SELECT FROM request_event"))).toBe(1_120)
  expect(charged).toBeGreaterThan(1_000)
  const days = await count(
    "SELECT DISTINCT date_trunc('day', created_at, 'UTC') FROM ledger_entry WHERE kind = 'charge'",
  )
  expect(days).toBeGreaterThan(50)
  expect(await count("SELECT FROM hold WHERE state = 'held'")).toBe(0)
})

test("the account has 6 members, 30 keys, purchases and a refund; a second one is below zero", async () => {
  const of = (table: string) => `SELECT FROM ${table} x JOIN account a ON a.id = x.account_id AND a.name = 'Demo shop'`
  expect(await count(of("member"))).toBe(6)
  expect(await count(`${of("api_key")} WHERE x.kind = 'secret'`)).toBe(30)
  expect(await count(`${of("topup")} WHERE x.status = 'paid'`)).toBe(4)
  expect(await count(`${of("ledger_entry")} WHERE x.kind = 'refund'`)).toBe(1)
  expect(await count("SELECT FROM account WHERE name = 'Demo shop' AND balance_pico > 0")).toBe(1)
  expect(await count("SELECT FROM account WHERE name = 'Demo shop, below zero' AND balance_pico < 0")).toBe(1)
})

test("the clock of the ledger is the machine's again", async () => {
  expect(await count("SELECT FROM pg_namespace WHERE nspname = 'seed_clock'")).toBe(0)
  expect(await count("SELECT WHERE ledger_now() > now() - interval '1 minute'")).toBe(1)
})

test("a database that has the demo is not seeded again", async () => {
  await expect(seedDemo(runtime(), { requests: 10, days: 1 })).rejects.toThrow("demo@example.com exists already")
})

test("a database in which one of the demo's people has signed up is refused in a sentence", async () => {
  await runtime().pool.query("UPDATE app_user SET email = 'owner@example.com' WHERE email = 'demo@example.com'")
  onTestFinished(async () => {
    await runtime().pool.query("UPDATE app_user SET email = 'demo@example.com' WHERE email = 'owner@example.com'")
  })
  await expect(seedDemo(runtime(), { requests: 10, days: 1 })).rejects.toThrow("grace@example.com exists already")
})

test("the set can be imported on the page Evaluate, with a label for each question", async () => {
  const read = readSetFile(await demoSetFile())
  expect(read).toMatchObject({ ok: true, file: { set: { name: "Demo tickets" }, runs: [] } })
  if (!read.ok) return
  expect(read.file.rows).toHaveLength(300)
  expect(read.file.set.mapping.labels.map(({ column }) => column)).toEqual(["wants_refund", "team", "urgency"])
})

const OPEN = { AUTH_SECRET: "x".repeat(32), EMAIL_SERVER: "smtp://mail.example", EMAIL_FROM: "a@b.example" }

test.each([
  ["another machine's database", { DATABASE_URL: "postgres://svc@db.example/svc" }],
  ["a console that others reach", { ...OPEN, CONSOLE_URL: "https://decide.example" }],
])("%s is refused", (_name, settings) => {
  expect(() => refuseProduction(readEnv(settings))).toThrow("This is not a development database.")
})

test("a database of this machine is not refused", () => {
  expect(() => refuseProduction(readEnv({}))).not.toThrow()
  expect(() => refuseProduction(readEnv({ DATABASE_URL: "postgres://svc@localhost:5432/svc" }))).not.toThrow()
})
