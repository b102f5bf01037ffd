import { expect, it, onTestFinished, vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { startSharedJobs } from "./jobs"

await testRuntime()

it("a job that fails every second is logged at once and then once a minute, with the number of failures left out", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
  const logged = vi.spyOn(runtime().log, "warn")
  vi.spyOn(runtime().pool, "query").mockRejectedValue(new Error("the database is unreachable"))
  const stops = startSharedJobs()
  onTestFinished(() => {
    for (const stop of stops) stop()
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  const linesAfter = async (seconds: number) => {
    for (let i = 0; i < seconds; i++) await vi.advanceTimersByTimeAsync(1_000)
    const lines = logged.mock.calls.map(([, fields]) => fields).filter((fields) => fields?.reason === "catalogue")
    return lines.map((fields) => fields?.count ?? 0)
  }
  expect(await linesAfter(1)).toEqual([0])
  expect(await linesAfter(59)).toEqual([0])
  expect(await linesAfter(60)).toEqual([0, 59])
  expect(runtime().catalogue.staleSince).not.toBeNull()
})
