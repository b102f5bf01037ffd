import { beforeEach, expect, test } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { operator } from "@/test/operator"
import { signUp } from "@/test/sign-up"
import { waitsForLock } from "@/test/waits-for-lock"
import { listLedgerChecks, requestLedgerCheck, runRequestedCheck } from "./check-runs"

await testRuntime({ WELCOME_CREDIT_USD: "1" })
const sql = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)
const actor = await signUp()

beforeEach(() => sql("DELETE FROM ledger_check"))

test("a requested check runs once in all processes, and its result is kept", async () => {
  await requestLedgerCheck(runtime(), OPERATOR)
  await requestLedgerCheck(runtime(), OPERATOR)
  expect(await listLedgerChecks(runtime(), OPERATOR)).toEqual([
    { id: expect.any(String), requestedAt: expect.any(String), finishedAt: null, tookMs: null, ok: null, checks: [] },
  ])
  const ran = await Promise.all([
    runRequestedCheck(runtime()),
    runRequestedCheck(runtime()),
    runRequestedCheck(runtime()),
  ])
  expect(ran.filter(Boolean)).toEqual([true])
  const [run, ...others] = await listLedgerChecks(runtime(), OPERATOR)
  expect(others).toEqual([])
  expect(run).toMatchObject({ ok: true, finishedAt: expect.stringMatching(/^20/), tookMs: expect.any(Number) })
  expect(run?.checks.find(({ name }) => name.startsWith("balance"))).toEqual({
    name: "balance is the sum of the account's ledger",
    ok: true,
    violations: 0,
  })
  expect(await runRequestedCheck(runtime())).toBe(false)
})

test("of 20 concurrent requests one adds a check, and the others join it", async () => {
  for (let round = 0; round < 10; round++) {
    await sql("DELETE FROM ledger_check")
    await Promise.all(Array.from({ length: 20 }, () => requestLedgerCheck(runtime(), OPERATOR)))
    expect(await listLedgerChecks(runtime(), OPERATOR)).toHaveLength(1)
  }
})

test("a violation is kept by name", async () => {
  await sql("UPDATE account SET balance_pico = balance_pico + 1 WHERE id = $1", [actor.accountId])
  await requestLedgerCheck(runtime(), OPERATOR)
  await runRequestedCheck(runtime())
  await sql("UPDATE account SET balance_pico = balance_pico - 1 WHERE id = $1", [actor.accountId])
  const [run] = await listLedgerChecks(runtime(), OPERATOR)
  expect(run?.ok).toBe(false)
  expect(run?.checks.filter(({ ok }) => !ok)).toEqual([
    { name: "balance is the sum of the account's ledger", ok: false, violations: 1 },
  ])
})

test("a check that cannot be completed is kept as such and does not run again", async () => {
  await requestLedgerCheck(runtime(), OPERATOR)
  await sql("ALTER TABLE usage_mark RENAME TO usage_mark_away")
  await expect(runRequestedCheck(runtime())).rejects.toThrow("usage_mark")
  await sql("ALTER TABLE usage_mark_away RENAME TO usage_mark")
  expect(await listLedgerChecks(runtime(), OPERATOR)).toMatchObject([
    { finishedAt: expect.any(String), ok: null, checks: [] },
  ])
  expect(await runRequestedCheck(runtime())).toBe(false)
})

test("the command line's check is kept too", async () => {
  expect((await operator("ledger", "verify")).code).toBe(0)
  expect(await listLedgerChecks(runtime(), OPERATOR)).toMatchObject([{ ok: true }])
})

test("a check of a process that died is taken over", async () => {
  await requestLedgerCheck(runtime(), OPERATOR)
  const client = await runtime().pool.connect()
  await client.query("BEGIN")
  await client.query("SELECT FROM ledger_check FOR UPDATE")
  expect(await runRequestedCheck(runtime())).toBe(false)
  client.release(true)
  await expect.poll(() => runRequestedCheck(runtime()), { timeout: 20_000 }).toBe(true)
})

test("a check that a stop aborted ends in PostgreSQL too, stays requested, and runs again", async () => {
  await requestLedgerCheck(runtime(), OPERATOR)
  const blocker = await runtime().pool.connect()
  await blocker.query("BEGIN; LOCK ledger_source IN ACCESS EXCLUSIVE MODE")
  const stopping = new AbortController()
  const ended = expect(runRequestedCheck(runtime(), stopping.signal)).rejects.toThrow("aborted")
  await waitsForLock()
  stopping.abort()
  await ended
  expect(await listLedgerChecks(runtime(), OPERATOR)).toMatchObject([{ finishedAt: null, ok: null, checks: [] }])
  const free = () => sql("SELECT FROM ledger_check FOR UPDATE SKIP LOCKED")
  await expect.poll(free, { timeout: 20_000 }).toMatchObject({ rowCount: 1 })
  await expect(runRequestedCheck(runtime(), stopping.signal)).rejects.toThrow("aborted")
  await blocker.query("ROLLBACK")
  blocker.release()
  expect(await runRequestedCheck(runtime())).toBe(true)
  expect(await listLedgerChecks(runtime(), OPERATOR)).toMatchObject([{ finishedAt: expect.any(String), ok: true }])
})

test("only the operator may request and read checks", async () => {
  await expect(requestLedgerCheck(runtime(), actor)).rejects.toMatchObject({ code: "forbidden" })
  await expect(listLedgerChecks(runtime(), actor)).rejects.toMatchObject({ code: "forbidden" })
})
