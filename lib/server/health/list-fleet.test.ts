import { beforeEach, expect, onTestFinished, test, vi } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { operator, operatorJson } from "@/test/operator"
import { JobRuns } from "./job-runs"
import { listFleet } from "./list-fleet"
import { findDisagreements, ServerProcesses } from "./server-processes"

await testRuntime({ HOST: "0.0.0.0", PORT: "3117" })
beforeEach(() => runtime().pool.query("DELETE FROM server_process"))

/** A server whose readiness and jobs the test decides. */
function server(id: string, { reason = null as string | null, jobs = new JobRuns() } = {}) {
  const processes = new ServerProcesses()
  const own = runtime()
  const made = {
    ...own,
    jobs,
    engines: { slots: { processId: id } } as typeof own.engines,
    readiness: { findReason: async () => reason } as typeof own.readiness,
  }
  return { report: () => processes.report(made), leave: () => processes.leave(made) }
}

const statesNow = async () =>
  Object.fromEntries((await listFleet(runtime(), OPERATOR)).map(({ id, state, reason }) => [id, reason ?? state]))

const age = (id: string, by: string) =>
  runtime().pool.query("UPDATE server_process SET seen_at = seen_at - $2::interval WHERE id = $1", [id, by])

test("a server reports its address, version, schema, jobs and clock", async () => {
  const jobs = new JobRuns()
  for (const name of ["usage", "mail"]) {
    jobs.add(name, 1_000)
    jobs.begin(name)
    jobs.end(name, name === "mail")
  }
  await server("a", { jobs }).report()
  const [member, ...others] = await listFleet(runtime(), OPERATOR)
  expect(others).toEqual([])
  expect(member).toEqual({
    id: "a",
    host: expect.stringMatching(/./),
    address: "0.0.0.0:3117",
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    schema: expect.stringMatching(/^\d{14}_\w+, functions \d+$/),
    state: "ready",
    reason: null,
    jobs: 2,
    failingJobs: ["mail"],
    clockAheadMs: expect.any(Number),
    startedAt: expect.stringMatching(/Z$/),
    seenAt: expect.stringMatching(/Z$/),
  })
  // The database of the test is on this machine.
  expect(Math.abs(member?.clockAheadMs ?? 60_000)).toBeLessThan(60_000)
})

test("a server whose clock is wrong by decades is listed", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  await server("a").report()
  expect(await listFleet(runtime(), OPERATOR)).toMatchObject([{ id: "a", clockAheadMs: -(2 ** 31 - 1) }])
})

test("servers are ready, not ready, stopped or lost, and listed for a day", async () => {
  const made = {
    ready: server("a"),
    draining: server("b", { reason: "draining" }),
    stopped: server("c"),
    lost: server("d"),
    old: server("e"),
  }
  for (const { report } of Object.values(made)) await report()
  await made.stopped.leave()
  await age("d", "16 seconds")
  await age("e", "25 hours")
  expect(await statesNow()).toEqual({ a: "ready", b: "draining", c: "stopped", d: "lost" })
  await made.ready.report()
  const { rows } = await runtime().pool.query("SELECT id FROM server_process ORDER BY id")
  expect(rows.map(({ id }) => id)).toEqual(["a", "b", "c", "d"])
  await made.lost.report()
  expect((await statesNow()).d).toBe("ready")
})

test("a stopped server disagrees with none", async () => {
  const first = server("a")
  await first.report()
  await runtime().pool.query("UPDATE server_process SET secret_mark = 'other'")
  expect((await findDisagreements(runtime())).otherSecrets).toHaveLength(1)
  await first.leave()
  expect((await findDisagreements(runtime())).otherSecrets).toEqual([])
})

test("a server of an earlier version, which reports less, is listed", async () => {
  await runtime().pool.query(
    "INSERT INTO server_process (id, host, secret_mark, seen_at) VALUES ('old', 'db-1', 'm', clock_timestamp())",
  )
  expect(await listFleet(runtime(), OPERATOR)).toMatchObject([
    {
      id: "old",
      host: "db-1",
      address: null,
      version: null,
      schema: null,
      state: "running",
      jobs: null,
      failingJobs: [],
    },
  ])
})

test("the command lists the fleet", async () => {
  await server("a", { reason: "database_unreachable" }).report()
  expect(await operatorJson("fleet")).toMatchObject({
    servers: [
      { id: "a", address: "0.0.0.0:3117", state: "not_ready", reason: "database_unreachable", failing_jobs: [] },
    ],
  })
  expect((await operator("fleet")).out).toMatch(/0\.0\.0\.0:3117 +Not ready: database_unreachable +\d/)
})
