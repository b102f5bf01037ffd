import { afterEach, beforeEach, expect, it } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { printFigure } from "@/test/figures"
import { freePort } from "@/test/free-port"
import { insertFastKey } from "@/test/insert-rows"
import { operator, operatorJson } from "@/test/operator"
import { sendDecision } from "@/test/send-decision"
import { type ServerProcess, startServer } from "@/test/server-process"

const ID = "svc-decider-4b-v1-1-api-1"

let databaseUrl: string
let token: string
let doubles: LlamaCppDouble[]
let servers: ServerProcess[]
beforeEach(async () => {
  ;({ databaseUrl } = await testRuntime())
  ;({ token } = await insertFastKey())
  doubles = [await startLlamaCpp(), await startLlamaCpp()]
  servers = []
})
afterEach(async () => {
  for (const { signal } of servers) signal("SIGTERM")
  await Promise.all(servers.map(({ ended }) => ended))
  await runtime().engines.close()
  await Promise.all(doubles.map((double) => double.stop()))
})

async function start(settings: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer(databaseUrl, settings)
  servers.push(server)
  return server
}

const url = (index: number): string => doubles[index]?.url ?? ""
const got = () => doubles.map(({ requests }) => requests.filter(({ path }) => path === "/v1/systemone").length)
const answering = async () =>
  (await runtime().pool.query("SELECT target_id FROM model WHERE kind = 'alias'")).rows[0]?.target_id
const warningsOf = (server: ServerProcess, event: string) =>
  server
    .written()
    .split("\n")
    .filter((line) => line.includes(`"${event}"`))

/** Resolves once the first server's probe has pinned the model. */
const pinned = () =>
  expect
    .poll(async () => (await runtime().pool.query("SELECT engine_build FROM model WHERE id = $1", [ID])).rows[0])
    .toEqual({ engine_build: "b11400-0a1b2c3d" })

/** Sends requests to each server until it is stopped. Returns how often each status came. */
function load(clients = 4) {
  const statuses: Record<number, number> = {}
  let stopped = false
  const client = async () => {
    for (let i = 0; !stopped; i++) {
      const { status } = await sendDecision(servers[i % servers.length]?.url ?? "", token)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  const all = Promise.all(Array.from({ length: clients }, client))
  const answered = () => Object.values(statuses).reduce((sum, count) => sum + count, 0)
  return {
    /** Resolves after this many more responses. */
    more: (count: number) => expect.poll(answered).toBeGreaterThan(answered() + count),
    async stop() {
      stopped = true
      await all
      return statuses
    },
  }
}

it("a process that starts with another ENGINE_URL redirects no other, and says so once", async () => {
  await start({ ENGINE_URL: url(0) })
  await pinned()
  const requests = load()
  await requests.more(50)
  const other = await start({ ENGINE_URL: `http://127.0.0.1:${await freePort()}` })
  await requests.more(200)
  const statuses = await requests.stop()
  printFigure("statuses while a second process had another ENGINE_URL", statuses)
  expect(Object.keys(statuses)).toEqual(["200"])
  expect(warningsOf(other, "engine.settings_ignored")).toHaveLength(1)
  expect(await operatorJson("model", "engine", ID)).toEqual({
    id: ID,
    addresses: [{ url: url(0), available: true, reason: null, draining: false }],
  })
})

it("a process whose engine is unreachable leaves the keyword scorer to the others, until the engine answers", async () => {
  await start({})
  const port = await freePort()
  const requests = load()
  await requests.more(50)
  const second = await start({ ENGINE_URL: `http://127.0.0.1:${port}` })
  await expect.poll(second.written).toContain("The alias moves to it once its engine answers.")
  await requests.more(200)
  expect(await answering()).toBe("svc-lexical-baseline-1")
  doubles.push(await startLlamaCpp({ port }))
  await expect.poll(answering, { timeout: 60_000 }).toBe(ID)
  await requests.more(200)
  const statuses = await requests.stop()
  printFigure("statuses while a second process brought an engine to the keyword scorer", statuses)
  expect(Object.keys(statuses)).toEqual(["200"])
  expect(got()[2]).toBeGreaterThan(0)
})

it("a model is moved to another address without a failed request, in every process", async () => {
  await start({ ENGINE_URL: url(0) })
  await start({ ENGINE_URL: url(0) })
  await pinned()
  const requests = load()
  await requests.more(50)
  const moved = await operator("model", "engine", ID, "--url", url(1))
  expect([moved.code, moved.err]).toEqual([0, ""])
  const movedAt = performance.now()
  await expect.poll(() => doubles[0]?.working).toBe(0)
  const quiet = async () => {
    const before = got()[0]
    await new Promise((resolve) => setTimeout(resolve, 300))
    return got()[0] === before
  }
  await expect.poll(quiet).toBe(true)
  printFigure("ms until no process used the old address", Math.round(performance.now() - movedAt - 300))
  await requests.more(50)
  expect(Object.keys(await requests.stop())).toEqual(["200"])
})

it("with two addresses, a drain and the death of an engine fail no request", async () => {
  await start({ ENGINE_URL: url(0) })
  await start({ ENGINE_URL: url(0) })
  await pinned()
  const requests = load(8)
  const change = async (...options: string[]) =>
    expect((await operator("model", "engine", ID, ...options)).code).toBe(0)
  /** Probes still ask a drained engine small questions. */
  const asked = async (index: number) => {
    const before = got()[index] ?? 0
    await requests.more(100)
    return (got()[index] ?? 0) - before < 10 ? "by probes" : "by requests"
  }
  await change("--url", url(1), "--add")
  await expect.poll(() => asked(1)).toBe("by requests")

  await change("--drain", url(0))
  await expect.poll(() => asked(0)).toBe("by probes")

  // Every process uses the other address when it is the only one, so all know it before the second is stopped.
  await change("--url", url(0), "--add")
  await change("--drain", url(1))
  await expect.poll(() => asked(1)).toBe("by probes")
  await change("--url", url(1), "--add")
  await expect.poll(() => asked(1)).toBe("by requests")
  await doubles[1]?.stop()
  await requests.more(300)
  const statuses = await requests.stop()
  printFigure("statuses with a drain and the death of one of two engines", statuses)
  expect(Object.keys(statuses)).toEqual(["200"])
})

it("a process that starts with another AUTH_SECRET says so once", async () => {
  const first = await start({ ENGINE_URL: url(0) })
  const second = await start({ ENGINE_URL: url(0), AUTH_SECRET: "another-secret-for-tests-of-32-chars" })
  await expect.poll(() => warningsOf(second, "secret.differs")).toHaveLength(1)
  await new Promise((resolve) => setTimeout(resolve, 6_000))
  expect(warningsOf(second, "secret.differs")).toHaveLength(1)
  expect(warningsOf(first, "secret.differs")).toEqual([])
})

it("the first start is corrected by later ones, until a probe succeeds", async () => {
  const wrong = await start({ ENGINE_URL: `http://127.0.0.1:${await freePort()}` })
  expect((await sendDecision(wrong.url, token)).status).toBe(503)
  wrong.signal("SIGTERM")
  await wrong.ended
  const right = await start({ ENGINE_URL: url(0) })
  await expect.poll(async () => (await sendDecision(right.url, token)).status).toBe(200)
  expect(right.written()).not.toContain("engine.settings_ignored")
})
