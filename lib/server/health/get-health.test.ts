import { expect, test } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { getHealth } from "./get-health"
import { JobRuns } from "./job-runs"
import { readProcessState } from "./process-state"

const app = await testRuntime({ DATABASE_POOL: "7" })

test("a command knows database and version, and says that it cannot know the servers", async () => {
  // A busy database may take longer than the 4 s of a part.
  await expect
    .poll(() => getHealth(runtime(), OPERATOR))
    .toMatchObject({
      server: null,
      database: { version: expect.stringMatching(/^\d+\.\d+$/), maxConnections: expect.any(Number) },
      backup: { takenAt: null, rehearsedAt: null, everyHours: 0 },
      mail: "outbox",
      mailQueue: { waiting: 0, givenUp: 0 },
      version: { release: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    })
})

test("a server reports its connections, engines and jobs", async () => {
  app.jobs.add("usage", 10_000)
  app.jobs.begin("usage")
  app.jobs.end("usage", true)
  expect(await readProcessState(runtime())).toMatchObject({
    serves: "all",
    fault: null,
    engines: [],
    redis: null,
    connections: { max: 7 },
    jobs: [{ name: "usage", everyMs: 10_000, isRunning: false, failures: 1 }],
  })
})

test("failures of a job count until a run succeeds", () => {
  const jobs = new JobRuns()
  const run = (hasFailed: boolean) => {
    jobs.begin("a")
    jobs.end("a", hasFailed)
    return jobs.list()[0]?.failures
  }
  jobs.add("a", 1)
  expect([run(true), run(true), run(false), run(true)]).toEqual([1, 2, 0, 1])
})

test("a server that does not answer and a database that fails hide no other part", async () => {
  installRuntime({
    ...app,
    prisma: undefined,
    readServer: () => Promise.reject(new Error("the server did not answer in time")),
    pool: Object.assign(Object.create(app.pool), { query: () => Promise.reject(new Error("down")) }),
  })
  const health = await getHealth(runtime(), OPERATOR)
  installRuntime(app)
  expect(health).toMatchObject({ server: null, database: null, backup: null, mail: "outbox", mailQueue: null })
})
