import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest"
import type { Log } from "@/lib/server/platform/log"
import { checkedRequest, noul } from "@/test/checked-request"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { at, LEXICAL, systemOneModel } from "@/test/system-one-model"
import type { EngineModel } from "./engine-model"
import { Engines } from "./engines"
import { SystemOneEngine } from "./system-one/system-one-engine"

const request = checkedRequest("s", noul("q", "Is it?"))
const silent: Log = { info() {}, warn() {}, error() {} }
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let llama: LlamaCppDouble
let engines: Engines

const decider = (changes: Partial<EngineModel> = {}) => systemOneModel(llama.url, changes)

function ask() {
  const { signal } = new AbortController()
  return engines.get("svc-decider")?.run("a", signal, (engine) => engine.answer(request, signal))
}

beforeEach(async () => {
  llama = await startLlamaCpp()
  engines = new Engines({
    log: silent,
    onSeen: () => {},
    timing: { everyMs: 50, whileDownMs: 20, probeLimitMs: 5_000 },
  })
})
afterEach(async () => {
  await engines.close()
  await llama.stop()
})

/** Counts the engines that are closed from now on, because they were replaced. */
function closedEngines() {
  const close = vi.spyOn(SystemOneEngine.prototype, "close")
  onTestFinished(() => close.mockRestore())
  return () => close.mock.calls.length
}

test("keeps an engine whose row did not change or whose build was recorded", async () => {
  const closed = closedEngines()
  engines.sync([decider()])
  engines.sync([decider()])
  engines.sync([decider({ engineBuild: "b11400-0a1b2c3d" })])
  expect(closed()).toBe(0)
})

test("keeps an engine whose learned name was recorded, and replaces one when another name was recorded", async () => {
  engines.sync([decider({ engineModel: null })])
  await engines.probeNow("svc-decider")
  const closed = closedEngines()
  engines.sync([decider({ engineModel: null })])
  engines.sync([decider({ engineModel: "kev-4b" })])
  expect(closed()).toBe(0)
  engines.sync([decider({ engineModel: "laya" })])
  expect(closed()).toBe(1)
})

test("replaces an engine whose address changed, and running requests end normally on the old one", async () => {
  engines.sync([decider()])
  await engines.probeNow("svc-decider")
  llama.fault = { kind: "slow", ms: 100 }
  const running = ask()
  const other = await startLlamaCpp()
  engines.sync([decider({ addresses: [at(other.url)] })])
  await engines.probeNow("svc-decider")
  expect(await running).toHaveLength(1)
  await ask()
  expect(other.requests.filter(({ path }) => path === "/v1/systemone").length).toBeGreaterThan(1)
  await engines.close()
  await other.stop()
})

test("a late request on a removed engine is 503", async () => {
  engines.sync([decider()])
  await engines.probeNow("svc-decider")
  const late = engines.get("svc-decider")
  engines.sync([])
  await wait(50)
  const { signal } = new AbortController()
  for (let i = 0; i < 2; i++)
    await expect(late?.run("a", signal, (engine) => engine.answer(request, signal))).rejects.toMatchObject({
      code: "model_unavailable",
    })
})

test("removes engines that are no longer listed", async () => {
  const probe = vi.spyOn(SystemOneEngine.prototype, "probe")
  onTestFinished(() => probe.mockRestore())
  engines.sync([LEXICAL, decider()])
  engines.sync([LEXICAL])
  expect(engines.get("svc-decider")).toBeNull()
  // The removal aborts the probe in progress, whose last request may still arrive.
  await probe.mock.results[0]?.value
  await wait(100)
  expect(probe).toHaveBeenCalledOnce()
})
