import { expect, it } from "vitest"
import { testRuntime } from "@/test/database"
import { freePort } from "@/test/free-port"
import { insertFastKey } from "@/test/insert-rows"
import { sendDecision } from "@/test/send-decision"
import { startServer } from "@/test/server-process"

const { databaseUrl, pool } = await testRuntime()

/** Longer than this process may be paused on a busy machine, so that it sees the drain. */
const DRAIN_S = 8

// No partition can be created, and that of this day is missing.
await pool.query(`CREATE OR REPLACE FUNCTION add_partition(parent text, since timestamptz, until timestamptz) RETURNS text LANGUAGE plpgsql AS
  $$ BEGIN RAISE insufficient_privilege; END $$`)
const { rows } = await pool.query("SELECT name FROM partitions_of('hold', now()) WHERE has_time")
await pool.query(`DROP TABLE ${rows[0].name}`)

const server = await startServer(databaseUrl, {
  DRAIN_S: String(DRAIN_S),
  DATABASE_ULR: "postgres://a-secret",
  EMAIL_SERVER: `smtp://ada:a-secret@127.0.0.1:${await freePort()}`,
  EMAIL_FROM: "a@example.com",
})

it("a start warns of a mail server that does not work and of a misspelt setting, without their values", async () => {
  await expect.poll(server.written).toContain('"event":"mail.unreachable"')
  await expect.poll(server.written).toContain('"event":"setting.unknown","reason":"DATABASE_ULR"')
  expect(server.written()).not.toContain("a-secret")
})

it("starts although a partition cannot be created, and the default partition takes its rows", async () => {
  expect(server.written()).toContain('"event":"job.failed","reason":"partitions"')
  expect((await sendDecision(server.url, (await insertFastKey()).token)).status).toBe(200)
  expect((await pool.query("SELECT FROM hold_default LIMIT 1")).rowCount).toBe(1)
})

it("on SIGTERM readiness is 503 first, and requests are answered for DRAIN_S more, and the last uses are saved", async () => {
  const { accountId, token } = await insertFastKey()
  const readyz = async () => {
    const response = await fetch(`${server.url}/readyz`)
    return [response.status, ((await response.json()) as { reason?: string }).reason]
  }
  expect(await readyz()).toEqual([200, undefined])
  const stoppedAt = performance.now()
  server.signal("SIGTERM")
  await expect.poll(readyz, { interval: 10 }).toEqual([503, "draining"])
  expect((await sendDecision(server.url, token)).status).toBe(200)
  expect(await server.ended).toBe(0)
  expect(performance.now() - stoppedAt).toBeGreaterThan(DRAIN_S * 1_000)
  const used = `SELECT (SELECT count(last_used_at)::int FROM api_key WHERE account_id = $1) AS keys,
    (SELECT count(*)::int FROM alias_use WHERE account_id = $1) AS aliases`
  expect((await pool.query(used, [accountId])).rows).toEqual([{ keys: 1, aliases: 1 }])
})
