import { ChildProcess, fork } from "node:child_process"
import cluster from "node:cluster"
import { beforeEach, expect, onTestFinished, test, vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { SupervisedProcess } from "./supervised-process"
import { WorkerSupervisor } from "./worker-supervisor"

const PROGRAM = "test/doubles/api-worker.mjs"

await testRuntime()
const logged = vi.spyOn(runtime().log, "error")
beforeEach(() => void logged.mockClear())
const events = () => logged.mock.calls.map(([, fields]) => fields?.event)

/** Returns what Node returns when the system has no file descriptor left: a process that never exits, but emits an error. */
function notSpawned(): ChildProcess {
  const child = new ChildProcess()
  process.nextTick(() => child.emit("error", new Error("spawn EMFILE")))
  return child
}

/** Supervises processes that these functions start in this order. Others start as usual. */
function supervise(starts: (() => ChildProcess)[]) {
  const pids: (number | undefined)[] = []
  const supervised = new SupervisedProcess({
    name: "worker",
    program: PROGRAM,
    fork: () => starts.shift()?.() ?? fork(PROGRAM),
    startMessage: () => ({ type: "start" }),
    onReady: () => {},
    onEnd: () => {},
    watch: (child) => {
      child.on("message", ({ type }: { type: string }) => type === "ready" && pids.push(child.pid))
      return () => {}
    },
  })
  return { supervised, pids }
}

test("a process that ended is replaced although Node throws an error at the first attempt", async () => {
  const outOfMemory = () => {
    throw new Error("spawn ENOMEM")
  }
  const { supervised, pids } = supervise([() => fork(PROGRAM), outOfMemory])
  onTestFinished(() => supervised.close())
  await supervised.start()
  process.kill(pids[0] ?? 0, "SIGKILL")
  await expect.poll(() => pids.length).toBe(2)
  expect(events()).toEqual(["worker.ended", "worker.ended"])
})

test("a process that could not be replaced does not delay the stop", async () => {
  const { supervised, pids } = supervise([() => fork(PROGRAM), ...Array.from({ length: 9 }, () => notSpawned)])
  await supervised.start()
  process.kill(pids[0] ?? 0, "SIGKILL")
  // Between two polls there may be several attempts.
  await expect.poll(() => events().length).toBeGreaterThan(1)
  await supervised.close()
})

test("an API worker that the system cannot start is started again later", async () => {
  const pids: (number | undefined)[] = []
  cluster.on("fork", ({ process: { pid } }) => pids.push(pid))
  const supervisor = new WorkerSupervisor({ database: {}, count: 1, program: PROGRAM })
  onTestFinished(async () => {
    cluster.removeAllListeners("fork").setupPrimary({ cwd: process.cwd() })
    await supervisor.close()
  })
  await supervisor.start()
  // The system reports ENOENT for a program in a folder that does not exist.
  cluster.setupPrimary({ cwd: "/nowhere" })
  process.kill(pids[0] ?? 0, "SIGKILL")
  await expect.poll(() => events().length).toBeGreaterThan(1)
  cluster.setupPrimary({ cwd: process.cwd() })
  await expect.poll(() => supervisor.ready).toBe(1)
})
