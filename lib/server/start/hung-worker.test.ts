import cluster from "node:cluster"
import { expect, onTestFinished, test, vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { WorkerSupervisor } from "./worker-supervisor"

await testRuntime()

test("a worker whose event loop is blocked for 60 s is killed and replaced. One that responds is not, also when the supervisor was paused", async () => {
  const logged = vi.spyOn(runtime().log, "error")
  let aheadMs = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + aheadMs)
  const pids: (number | undefined)[] = []
  let pongs = 0
  cluster.on("fork", (worker) => pids.push(worker.process.pid))
  cluster.on("message", (_worker, { type }) => type === "pong" && pongs++)
  const program = "test/doubles/api-worker.mjs"
  const supervisor = new WorkerSupervisor({ database: {}, count: 1, program, pingMs: 50 })
  onTestFinished(async () => {
    clock.mockRestore()
    cluster.removeAllListeners("fork").removeAllListeners("message")
    await supervisor.close()
  })
  await supervisor.start()

  // A step of 61 s is a pause of this process.
  for (const stepMs of [...Array(8).fill(15_000), 61_000, 61_000]) {
    aheadMs += stepMs
    const before = pongs
    await expect.poll(() => pongs, { timeout: 20_000 }).toBeGreaterThan(before + 1)
  }
  expect([pids.length, supervisor.ready]).toEqual([1, 1])

  // The double then blocks. A reply that it sent before may arrive after the first step.
  supervisor.drain()
  const processesLater = () => {
    aheadMs += 15_000
    return pids.length
  }
  await expect.poll(processesLater, { timeout: 20_000, interval: 200 }).toBe(2)
  await expect.poll(() => supervisor.ready, { timeout: 20_000 }).toBe(1)
  expect(new Set(pids).size).toBe(2)
  expect(logged.mock.calls.map(([, fields]) => fields?.event)).toEqual(["worker.ended"])
})
