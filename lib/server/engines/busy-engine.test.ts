import { afterEach, expect, test } from "vitest"
import type { Log } from "@/lib/server/platform/log"
import { checkedRequest, choice, noul, score } from "@/test/checked-request"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { systemOneModel } from "@/test/system-one-model"
import { needsCall } from "./engine"
import { Engines } from "./engines"
import type { MonitorTiming } from "./monitor-timing"

const silent: Log = { info() {}, warn() {}, error() {} }
const ID = "svc-decider"
const long = checkedRequest("word ".repeat(2_000), noul("q", "Is it?"))
/** A probe ends after 40 ms. A request here lasts until the test computes the engine's next batch. */
const TIMING = {
  everyMs: 20,
  whileDownMs: 20,
  probeLimitMs: 40,
  firstLimitMs: 40,
  healthLimitMs: 5_000,
  silenceLimitMs: 60_000,
  idleLimitMs: 60_000,
}

let llama: LlamaCppDouble
let engines: Engines

async function start(timing: Partial<MonitorTiming> = {}): Promise<void> {
  llama = await startLlamaCpp()
  engines = new Engines({ log: silent, onSeen: () => {}, timing: { ...TIMING, probeLimitMs: 5_000, ...timing } })
  engines.sync([systemOneModel(llama.url)])
  await engines.ready()
}
afterEach(async () => {
  // Requests that the test left running end with the engine.
  await llama.stop()
  await engines.close()
})

function ask() {
  const { signal } = new AbortController()
  return engines.get(ID)?.run("a", signal, (engine) => engine.answer(long, signal))
}

/** Computes batches until this work is done. */
async function computeUntil<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  void work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await llama.slots.step()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return work
}

const probes = () => llama.requests.filter(({ path }) => path === "/health").length
const isAvailable = () => engines.availability(ID).available

test("an engine that computes one long batch stays available, and answers everybody afterwards", async () => {
  await start(TIMING)
  await expect.poll(isAvailable).toBe(true)
  llama.slots.stepByStep()
  const answers = [ask(), ask()]
  await expect.poll(probes, { timeout: 20_000 }).toBeGreaterThanOrEqual(4)
  expect(isAvailable()).toBe(true)
  const late = ask()
  const all = Promise.all([...answers, late])
  expect((await computeUntil(all)).map((answer) => answer?.length)).toEqual([1, 1, 1])
})

const BUILD = "b11400-0a1b2c3d"

test("a process that starts while the engine computes a long batch gets answers after it", async () => {
  await start()
  await expect.poll(isAvailable).toBe(true)
  llama.slots.stepByStep()
  const first = ask()
  const other = new Engines({ log: silent, onSeen: () => {}, timing: TIMING })
  const facts = { n_params: 4_022_468_096, states: "objects" }
  other.sync([systemOneModel(llama.url, { engineBuild: BUILD, pinnedFacts: facts })])
  await expect.poll(() => other.availability(ID).available, { timeout: 20_000 }).toBe(true)
  const { signal } = new AbortController()
  const second = other.get(ID)?.run("a", signal, (engine) => engine.answer(long, signal))
  const both = Promise.all([first, second])
  expect((await computeUntil(both)).map((answer) => answer?.length)).toEqual([1, 1])
  await other.close()
})

test("weights that are swapped while no probe gets an answer are 503 from the next probe on", async () => {
  await start(TIMING)
  await expect.poll(isAvailable).toBe(true)
  llama.slots.stepByStep()
  void ask()?.catch(() => {})
  await expect.poll(() => llama.working).toBeGreaterThanOrEqual(1)
  llama.settings.weights.n_params = 7
  await expect.poll(isAvailable, { timeout: 20_000 }).toBe(false)
  expect(engines.availability(ID).reason).toBe(
    "The engine reports n_params 7, but this model is pinned to n_params 4022468096.",
  )
  await expect(ask()).rejects.toMatchObject({ code: "model_unavailable" })
})

test("an engine that reports its health and completes nothing becomes unavailable", async () => {
  await start({ ...TIMING, idleLimitMs: 400 })
  await expect.poll(isAvailable).toBe(true)
  llama.slots.stepByStep()
  await expect.poll(isAvailable, { timeout: 20_000 }).toBe(false)
  expect(engines.availability(ID).reason).toBe("The engine did not answer the probe in time.")
})

test("answers that need no call to an engine do not keep it available", async () => {
  await start({ ...TIMING, idleLimitMs: 400, silenceLimitMs: 400 })
  await expect.poll(isAvailable).toBe(true)
  llama.slots.stepByStep()
  const { signal } = new AbortController()
  const certain = checkedRequest("state", choice("c", "Which?", ["only"]), score("s", "How?", ["low"]))
  let answered = 0
  const isAvailableToAsk = async () => {
    const options = { makesCalls: needsCall(certain) }
    const answers = engines.get(ID)?.run("a", signal, (engine) => engine.answer(certain, signal), options)
    await answers?.then(({ length }) => (answered += length)).catch(() => {})
    return isAvailable()
  }
  await expect.poll(isAvailableToAsk, { timeout: 20_000 }).toBe(false)
  expect(answered).toBeGreaterThan(0)
  expect(engines.availability(ID).reason).toBe("The engine did not answer the probe in time.")
})

test("a killed engine becomes unavailable, its running request fails, and it is available after its restart", async () => {
  await start({ everyMs: 50, whileDownMs: 20 })
  await expect.poll(isAvailable).toBe(true)
  llama.slots.stepByStep()
  const running = ask()
  await expect.poll(() => llama.working).toBeGreaterThanOrEqual(1)
  await llama.stop()
  await expect(running).rejects.toMatchObject({ code: "model_unavailable" })
  await expect.poll(isAvailable).toBe(false)
  await expect(ask()).rejects.toMatchObject({ code: "model_unavailable" })
  llama = await startLlamaCpp({ port: llama.port })
  await expect.poll(isAvailable).toBe(true)
  expect(await ask()).toHaveLength(1)
})
