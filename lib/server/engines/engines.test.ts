import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Log, LogFields } from "@/lib/server/platform/log"
import { checkedRequest, noul } from "@/test/checked-request"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { freePort } from "@/test/free-port"
import { gate } from "@/test/scripted-engine"
import { KEV_FACTS, LEXICAL, systemOneModel } from "@/test/system-one-model"
import type { EngineModel } from "./engine-model"
import { Engines } from "./engines"

const request = checkedRequest("secret state", noul("q", "secret question?"))

const TIMING = { everyMs: 50, whileDownMs: 20, probeLimitMs: 5_000 }
/** No probe of its own during a test. */
const PROBED_ONCE = { ...TIMING, everyMs: 60_000 }
const silent: Log = { info() {}, warn() {}, error() {} }
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let llama: LlamaCppDouble
let engines: Engines
let logged: [message: string, fields?: LogFields][]
const note = (message: string, fields?: LogFields) => void logged.push([message, fields])
const log: Log = { info: note, warn: note, error: note }
const onSeen = vi.fn()

const decider = (changes: Partial<EngineModel> = {}) => systemOneModel(llama.url, changes)

/** Starts an engine. Not with `ready`, which ends after 2 s even when the probe does not. */
async function start(changes: Partial<EngineModel> = {}): Promise<void> {
  engines.sync([decider(changes)])
  await engines.probeNow("svc-decider")
}

const loadOf = () => engines.queues().map(({ running, waiting }) => ({ running, waiting, atEngine: llama.working }))

function ask(accountId = "a", id = "svc-decider") {
  const { signal } = new AbortController()
  return engines.get(id)?.run(accountId, signal, (engine) => engine.answer(request, signal))
}

beforeEach(async () => {
  llama = await startLlamaCpp()
  logged = []
  onSeen.mockReset()
  engines = new Engines({ log, onSeen, timing: TIMING })
})
afterEach(async () => {
  await engines.close()
  await llama.stop()
})

test("the lexical engine is available immediately", async () => {
  engines.sync([LEXICAL])
  expect(engines.availability(LEXICAL.id)).toEqual({ available: true, reason: null })
  expect(engines.degraded()).toBe(false)
  expect(await engines.probeNow(LEXICAL.id)).toEqual({ available: true, reason: null })
  expect(await ask("a", LEXICAL.id)).toHaveLength(1)
})

test("a new engine is unavailable until its first probe, then answers", async () => {
  engines.sync([LEXICAL, decider()])
  expect(engines.availability("svc-decider").available).toBe(false)
  expect(engines.degraded()).toBe(true)
  await expect(ask()).rejects.toMatchObject({ code: "model_unavailable" })
  await engines.probeNow("svc-decider")
  expect(engines.availability("svc-decider")).toEqual({ available: true, reason: null })
  expect(engines.degraded()).toBe(false)
  expect(await ask()).toEqual([{ type: "noul", yes: expect.any(Number) }])
})

test("ready waits at most 2 s for an engine that does not respond", async () => {
  llama.fault = { kind: "slow", ms: 60_000 }
  engines = new Engines({ log: silent, onSeen, timing: { probeLimitMs: 60_000 } })
  engines.sync([decider()])
  const startedAt = performance.now()
  await engines.ready()
  expect(performance.now() - startedAt).toBeGreaterThan(1_900)
  // It did not wait for the end of the probe.
  expect(engines.availability("svc-decider").reason).toBe("The engine has not been probed yet.")
})

test("an unlisted model has no engine", async () => {
  expect(engines.get("other")).toBeNull()
  expect(engines.availability("other")).toEqual({ available: false, reason: "There is no engine for this model." })
  expect(await engines.probeNow("other")).toMatchObject({ available: false })
})

test("texts are written as the template system-one-3 says", async () => {
  await start({ promptTemplate: "system-one-3" })
  const { signal } = new AbortController()
  const markup = checkedRequest("<|im_end|>", noul("q", "Is it?"))
  await engines.get("svc-decider")?.run("a", signal, (engine) => engine.answer(markup, signal))
  expect(JSON.parse(llama.requests.findLast(({ path }) => path === "/v1/systemone")?.body ?? "").state).toBe(
    "<¦im_end¦>",
  )
})

describe("the build", () => {
  test("of a model without one is reported once, with the name under which it is served", async () => {
    await start()
    await engines.probeNow("svc-decider")
    expect(onSeen.mock.calls).toEqual([
      [
        "svc-decider",
        { build: "b11400-0a1b2c3d", facts: { ...KEV_FACTS, states: "objects" }, served: "kev-4b", tokenizer: null },
        llama.url,
      ],
    ])
  })

  test("that differs from the recorded one makes the engine unavailable with a reason", async () => {
    await start({ engineBuild: "b1" })
    expect(engines.availability("svc-decider").reason).toBe(
      "The engine runs build b11400-0a1b2c3d, but this model is pinned to build b1.",
    )
    expect(onSeen).not.toHaveBeenCalled()
  })

  test("that cannot be recorded is logged, and the engine still answers", async () => {
    onSeen.mockRejectedValue(new Error("no database"))
    await start()
    await expect
      .poll(() => logged.map(([message]) => message))
      .toContain("What a probe found about an engine was not recorded")
    expect(await ask()).toHaveLength(1)
  })
})

describe("capacity", () => {
  test("runs 4 requests per slot at once, or 16 when the engine reports no slots", async () => {
    engines = new Engines({ log: silent, onSeen, timing: PROBED_ONCE })
    llama.settings.slots = 1
    await start()
    /** Sends requests whose answers the engine holds back until `running` have reached it, the maximum at once. */
    const send = async (count: number, running: number) => {
      const { wait, open } = gate()
      llama.fault = { kind: "held", until: wait() }
      llama.mostWorking = 0
      const all = Promise.all(Array.from({ length: count }, () => ask()))
      await expect.poll(loadOf).toEqual([{ running, waiting: count - running, atEngine: running }])
      open()
      expect(await all).toHaveLength(count)
      expect(llama.mostWorking).toBe(running)
      llama.fault = null
    }
    await send(6, 4)
    llama.settings.isPlainWire = true
    await start({ tokenizer: null })
    await send(24, 16)
  })

  test("lets 256 requests wait and refuses the next with Retry-After 1", async () => {
    engines.sync([LEXICAL])
    const handle = engines.get(LEXICAL.id)
    let finish = () => {}
    const held = new Promise<void>((resolve) => {
      finish = resolve
    })
    const all = Array.from({ length: 16 + 256 }, () => handle?.run("a", new AbortController().signal, () => held))
    await expect(handle?.run("a", new AbortController().signal, () => held)).rejects.toMatchObject({
      code: "capacity_exceeded",
      retryAfterSeconds: 1,
    })
    finish()
    await Promise.all(all)
  })
})

describe("an engine that becomes unreachable", () => {
  test("is unavailable after three consecutive refused connections, and available after its next probe", async () => {
    engines = new Engines({ log: silent, onSeen, timing: PROBED_ONCE })
    await llama.stop()
    // No other process takes this port until the engine is started again.
    llama = await startLlamaCpp({ port: await freePort() })
    await start()
    await llama.stop()
    for (let i = 0; i < 3; i++) {
      expect(engines.availability("svc-decider").available).toBe(true)
      await expect(ask()).rejects.toMatchObject({ code: "model_unavailable" })
    }
    expect(engines.availability("svc-decider").available).toBe(false)
    llama = await startLlamaCpp({ port: llama.port })
    await expect.poll(() => engines.availability("svc-decider").available).toBe(true)
    expect(await ask()).toHaveLength(1)
  })

  test("stays available after any number of bad answers", async () => {
    engines = new Engines({ log: silent, onSeen })
    await start()
    llama.fault = { kind: "status", status: 500 }
    for (let i = 0; i < 5; i++) await expect(ask()).rejects.toMatchObject({ code: "upstream_error" })
    expect(engines.availability("svc-decider").available).toBe(true)
  })

  test("logs the reason once, and no content of a request", async () => {
    await start()
    await ask()
    llama.fault = { kind: "loading" }
    await expect.poll(() => engines.availability("svc-decider").available).toBe(false)
    await wait(100)
    expect(logged).toEqual([
      ["An engine became available", { event: "engine.available", model: "svc-decider", engine: llama.url }],
      [
        "An engine became unavailable",
        {
          event: "engine.unavailable",
          model: "svc-decider",
          engine: llama.url,
          reason: "The engine is not ready: it is loading its model (HTTP 503).",
        },
      ],
    ])
    expect(JSON.stringify(logged)).not.toContain("secret")
  })
})

test("close refuses waiting requests and lets running ones end", async () => {
  engines = new Engines({ log: silent, onSeen, timing: PROBED_ONCE })
  llama.settings.slots = 1
  await start()
  const { wait: answered, open } = gate()
  llama.fault = { kind: "held", until: answered() }
  const worked = vi.fn()
  const { signal } = new AbortController()
  const all = Array.from({ length: 6 }, () =>
    engines.get("svc-decider")?.run("a", signal, (engine) => {
      worked()
      return engine.answer(request, signal)
    }),
  )
  const outcomes = Promise.allSettled(all)
  await expect.poll(loadOf).toEqual([{ running: 4, waiting: 2, atEngine: 4 }])
  const closed = engines.close()
  open()
  await closed
  expect((await outcomes).map(({ status }) => status)).toEqual([
    ...Array(4).fill("fulfilled"),
    ...Array(2).fill("rejected"),
  ])
  expect(worked).toHaveBeenCalledTimes(4)
})

test("a probability that is outside of 0 to 1 by rounding is clamped, with one event between two probes", async () => {
  engines = new Engines({ log, onSeen, timing: PROBED_ONCE })
  await start()
  llama.fault = {
    kind: "edited",
    edit: (body) => ({ ...body, answers: { q: { type: "noul", noul: 1 + 1e-10 } } }),
  }
  expect(await ask()).toEqual([{ type: "noul", yes: 1 }])
  expect(await ask()).toEqual([{ type: "noul", yes: 1 }])
  const events = logged.map(([, fields]) => fields?.event)
  expect(events.filter((event) => event === "engine.probability_clamped")).toHaveLength(1)
})
