import { beforeEach, expect, test, vi } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertEngineModel } from "@/test/insert-rows"
import { findDisagreements, ServerProcesses } from "./server-processes"

await testRuntime()
const URL = "http://127.0.0.1:1"
await insertEngineModel("svc-decider-4b-v1-1-api-1", URL)
beforeEach(() => runtime().pool.query("DELETE FROM server_process"))

/** A server with these settings, and the warnings that it logged. */
function server(id: string, settings: object = {}) {
  const warnings: unknown[] = []
  const processes = new ServerProcesses()
  const own = runtime()
  const made = {
    ...own,
    env: { ...own.env, ...settings },
    engines: { slots: { processId: id } } as typeof own.engines,
    log: { ...own.log, warn: vi.fn((_: string, fields) => void warnings.push(fields)) },
  }
  return {
    warnings,
    report: () => processes.report(made),
    leave: () => processes.leave(made),
    find: () => findDisagreements(made),
  }
}

const OTHER = { AUTH_SECRET: "another-secret-for-tests-of-32-chars" }
const NONE = { otherSecrets: [], ignoredEngines: [] }

test("servers with the same settings agree", async () => {
  const [first, second] = [server("a"), server("b")]
  for (const { report } of [first, second, first, second]) await report()
  expect([...first.warnings, ...second.warnings]).toEqual([])
  expect(await first.find()).toEqual(NONE)
})

test("a server that starts with another AUTH_SECRET warns once, and both find out", async () => {
  const [first, second] = [server("a"), server("b", OTHER)]
  for (const { report } of [first, second, first, second, first, second]) await report()
  expect(first.warnings).toEqual([])
  expect(second.warnings).toEqual([{ event: "secret.differs", reason: expect.any(String) }])
  expect((await first.find()).otherSecrets).toHaveLength(1)
  expect((await second.find()).otherSecrets).toHaveLength(1)
})

test("a server that replaced one with another AUTH_SECRET warns of nothing, even if that was killed", async () => {
  const [first, killed, second] = [server("a"), server("b"), server("c", OTHER)]
  await first.report()
  await killed.report()
  await first.leave()
  await second.report()
  await second.report()
  expect(second.warnings).toEqual([])
})

test("a server that accepts the previous secret during a rotation warns of nothing", async () => {
  const { AUTH_SECRET } = runtime().env
  const [first, second] = [server("a"), server("b", { ...OTHER, AUTH_SECRET_PREVIOUS: AUTH_SECRET })]
  for (const { report } of [first, second, first, second]) await report()
  expect(second.warnings).toEqual([])
  expect(await second.find()).toEqual(NONE)
})

test("a server with another ENGINE_URL is found once the stored address wins", async () => {
  const first = server("a", { ENGINE_URL: "http://127.0.0.1:2/secret-path" })
  await loadCatalogue(runtime())
  await first.report()
  expect((await first.find()).ignoredEngines).toEqual([])
  await runtime().pool.query("UPDATE model SET engine_build = 'b1' WHERE id = 'svc-decider-4b-v1-1-api-1'")
  await loadCatalogue(runtime())
  await first.report()
  expect((await first.find()).ignoredEngines).toEqual([{ host: expect.any(String), url: "http://127.0.0.1:2" }])
})

test("what is stored about a secret does not reveal it", async () => {
  await server("a").report()
  const { rows } = await runtime().pool.query("SELECT secret_mark FROM server_process")
  expect(rows).toHaveLength(1)
  expect(rows[0].secret_mark).toMatch(/^[\w-]{22}$/)
  expect(rows[0].secret_mark).not.toContain(runtime().env.AUTH_SECRET)
})
