import { afterAll, expect, it } from "vitest"
import { BadSetting, readEnv } from "@/lib/server/platform/env"
import { testRuntime } from "@/test/database"
import { insertFastKey } from "@/test/insert-rows"
import { startPgBouncer } from "@/test/pgbouncer"
import { sendDecision } from "@/test/send-decision"
import { startServer } from "@/test/server-process"
import { connectDatabase } from "./connect"

const { databaseUrl } = await testRuntime()

const [session, transaction] = await Promise.all([startPgBouncer("session"), startPgBouncer("transaction")])
const poolers = { session, transaction }
afterAll(() => Promise.all([poolers.session.close(), poolers.transaction.close()]))

it("in session mode, concurrent decisions are charged", async () => {
  const { token } = await insertFastKey()
  const server = await startServer(poolers.session.urlOf(databaseUrl))
  const decide = () => sendDecision(server.url, token)
  // Few, because a request that waits for one of ten connections longer than 5 s, as on a slow machine, is answered with 503.
  const responses = await Promise.all(Array.from({ length: 20 }, decide))
  expect(responses.filter(({ status }) => status !== 200)).toEqual([])
  server.signal("SIGTERM")
  expect(await server.ended).toBe(0)
})

async function refused(settings: Record<string, string>): Promise<void> {
  const error = await connectDatabase(readEnv(settings), "server").catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(BadSetting)
  expect((error as Error).message).toBe(
    "DATABASE_URL points to a pooler in transaction mode without prepared statements. Use session mode, or set both max_prepared_statements of PgBouncer 1.21 or later and DATABASE_DIRECT_URL",
  )
}

it("in transaction mode, the server does not start, with one line", () =>
  refused({ DATABASE_URL: poolers.transaction.urlOf(databaseUrl) }))

it("in transaction mode without prepared statements, a direct address does not help", () =>
  refused({ DATABASE_URL: poolers.transaction.urlOf(databaseUrl), DATABASE_DIRECT_URL: databaseUrl }))
