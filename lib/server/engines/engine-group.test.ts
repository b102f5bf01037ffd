import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Log, LogFields } from "@/lib/server/platform/log"
import { checkedRequest, noul } from "@/test/checked-request"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { freePort } from "@/test/free-port"
import { gate } from "@/test/scripted-engine"
import { at, systemOneModel } from "@/test/system-one-model"
import type { EngineModel } from "./engine-model"
import { Engines } from "./engines"

const request = () => checkedRequest("s", noul("q", "Is it?"))
const ID = "svc-decider"
/** No probe of its own during a test. */
const TIMING = { everyMs: 60_000, whileDownMs: 60_000, probeLimitMs: 5_000 }

let doubles: LlamaCppDouble[]
let engines: Engines
let logged: LogFields[]
beforeEach(async () => {
  doubles = [await startLlamaCpp(), await startLlamaCpp()]
  logged = []
  const note = (_: string, fields?: LogFields) => void logged.push(fields ?? {})
  const log: Log = { info: note, warn: note, error: note }
  engines = new Engines({ log, onSeen: () => {}, timing: TIMING })
})
afterEach(async () => {
  for (const double of doubles) double.fault = null
  await Promise.all(doubles.map((double) => double.stop()))
  await engines.close()
})

const url = (index: number): string => doubles[index]?.url ?? ""
const both = (changes: Partial<EngineModel> = {}): EngineModel =>
  systemOneModel("", { addresses: [at(url(0)), at(url(1))], tokenizer: "bytes-4", ...changes })

async function start(model: EngineModel = both()): Promise<void> {
  engines.sync([model])
  await engines.probeNow(ID)
  for (const double of doubles) double.requests.length = 0
}

function ask() {
  const { signal } = new AbortController()
  const asked = request()
  return engines.get(ID)?.run("a", signal, (engine) => engine.answer(asked, signal))
}

/** The decisions that each engine got since the start. */
const got = () => doubles.map(({ requests }) => requests.filter(({ path }) => path === "/v1/systemone").length)

test("a request goes to the engine with the fewest calls", async () => {
  await start()
  const held = gate()
  for (const double of doubles) double.fault = { kind: "held", until: held.wait() }
  const all = Promise.all(Array.from({ length: 6 }, ask))
  await expect.poll(got).toEqual([3, 3])
  held.open()
  expect(await all).toHaveLength(6)
})

test("while one engine is slow, the other takes what arrives", async () => {
  await start()
  const held = gate()
  const [slow] = doubles
  if (slow) slow.fault = { kind: "held", until: held.wait() }
  const waiting = ask()
  await expect.poll(got).toEqual([1, 0])
  for (let i = 0; i < 5; i++) await ask()
  expect(got()).toEqual([1, 5])
  held.open()
  await waiting
})

test("the places of all addresses are summed", async () => {
  for (const double of doubles) double.settings.slots = 2
  await start()
  expect(engines.queues()).toEqual([{ model: ID, running: 0, limit: 16, waiting: 0 }])
})

describe("a failed connection", () => {
  test("is tried once on another engine, which answers", async () => {
    await start()
    await doubles[0]?.stop()
    for (let i = 0; i < 5; i++) expect(await ask()).toHaveLength(1)
    expect(got()).toEqual([0, 5])
    expect(engines.addresses(ID).map(({ available }) => available)).toEqual([false, true])
    expect(engines.availability(ID)).toEqual({ available: true, reason: null })
    expect(logged.at(-1)).toEqual({
      event: "engine.unavailable",
      model: ID,
      engine: url(0),
      reason: "Three connections to the engine failed in a row.",
    })
  })

  test("in the middle of a request is tried on another engine", async () => {
    await start()
    const [first] = doubles
    if (first) first.fault = { kind: "reset" }
    expect(await ask()).toHaveLength(1)
    expect(got()).toEqual([1, 1])
  })

  test("is tried on another engine although the addresses were read again meanwhile", async () => {
    await start()
    const [first, second] = doubles
    const held = gate()
    for (const double of doubles) double.fault = { kind: "held", until: held.wait() }
    const others = [ask(), ask(), ask(), ask()]
    await expect.poll(got).toEqual([2, 2])
    engines.sync([both()])
    if (second) second.fault = null
    await first?.stop()
    held.open()
    await Promise.all(others)
    expect(got()).toEqual([2, 4])
  })

  test("of both engines is 503", async () => {
    await start()
    for (const double of doubles) double.fault = { kind: "reset" }
    await expect(ask()).rejects.toMatchObject({ code: "model_unavailable" })
    expect(got()).toEqual([1, 1])
  })

  test("opens the breaker of its own address only", async () => {
    await start()
    const [first] = doubles
    if (first) first.fault = { kind: "reset" }
    for (let i = 0; i < 4; i++) await ask()
    expect(got()).toEqual([3, 4])
  })
})

test.each([500, 502, 503, 504, 400, 429])("an answer with status %i is never asked for again", async (status) => {
  await start()
  for (const double of doubles) double.fault = { kind: "status", status }
  await expect(ask()).rejects.toBeDefined()
  expect(got()).toEqual([1, 0])
})

test("requests that wait at an engine which becomes unavailable go to the other", async () => {
  for (const double of doubles) double.settings.slots = 1
  await start()
  const [first, second] = doubles
  const held = gate()
  for (const double of doubles) double.fault = { kind: "held", until: held.wait() }
  const all = Promise.all(Array.from({ length: 12 }, ask))
  await expect.poll(got).toEqual([4, 4])
  if (second) second.fault = null
  await first?.stop()
  held.open()
  expect(await all).toHaveLength(12)
})

describe("a drained address", () => {
  test("gets no new requests, and running ones end there", async () => {
    await start()
    const [first] = doubles
    const held = gate()
    if (first) first.fault = { kind: "held", until: held.wait() }
    const running = ask()
    await expect.poll(got).toEqual([1, 0])
    engines.sync([both({ addresses: [at(url(0), { isDraining: true }), at(url(1))] })])
    for (let i = 0; i < 4; i++) await ask()
    expect(got()).toEqual([1, 4])
    held.open()
    expect(await running).toHaveLength(1)
    engines.sync([both()])
    await ask()
    expect(got()).toEqual([2, 4])
  })

  test("answers until the first probe of another has ended", async () => {
    await start(both({ addresses: [at(url(0))] }))
    const [first, second] = doubles
    const held = gate()
    if (second) second.fault = { kind: "held", until: held.wait() }
    engines.sync([both({ addresses: [at(url(0), { isDraining: true }), at(url(1))] })])
    expect(await ask()).toHaveLength(1)
    expect(engines.availability(ID).available).toBe(true)
    expect(got()[0]).toBe(1)
    held.open()
    await engines.probeNow(ID)
    if (first) first.requests.length = 0
    for (let i = 0; i < 3; i++) expect(await ask()).toHaveLength(1)
    expect(got()[0]).toBe(0)
  })

  test("gets none when the others are down either", async () => {
    await start(both({ addresses: [at(url(0), { isDraining: true }), at(url(1))] }))
    const [, second] = doubles
    if (second) second.fault = { kind: "loading" }
    await engines.probeNow(ID)
    await engines.probeNow(ID)
    for (const double of doubles) double.requests.length = 0
    await expect(ask()).rejects.toMatchObject({ code: "model_unavailable" })
    expect(got()[0]).toBe(0)
    expect(engines.availability(ID).reason).toBe(
      `${url(0)}: It is drained. ${url(1)}: The engine is not ready: it is loading its model (HTTP 503).`,
    )
  })
})

test("an address that serves another version gets no requests", async () => {
  const [first] = doubles
  if (first) first.settings.build = "b2"
  await start(both({ engineBuild: "b11400-0a1b2c3d" }))
  for (let i = 0; i < 3; i++) await ask()
  expect(got()).toEqual([0, 3])
  expect(engines.addresses(ID)).toEqual([
    {
      url: url(0),
      isDraining: false,
      available: false,
      reason: "The engine runs build b2, but this model is pinned to build b11400-0a1b2c3d.",
    },
    { url: url(1), isDraining: false, available: true, reason: null },
  ])
})

test("a probe says how each address does", async () => {
  await doubles[1]?.stop()
  engines.sync([both()])
  const { available, reason, findings } = await engines.probeNow(ID)
  expect({ available, reason }).toEqual({ available: true, reason: null })
  expect(findings?.slice(0, 2)).toEqual([
    { name: "Address", value: url(0), meaning: "It answers requests." },
    {
      name: "Address",
      value: url(1),
      meaning: "It gets no requests: The engine does not answer: connection refused.",
    },
  ])
})

test("an address that is replaced answers until the new one was probed", async () => {
  await start(both({ addresses: [at(url(0))] }))
  const [, second] = doubles
  const held = gate()
  if (second) second.fault = { kind: "slow", ms: 300 }
  engines.sync([both({ addresses: [at(url(1))] })])
  expect(engines.availability(ID)).toEqual({ available: true, reason: null })
  expect(await ask()).toHaveLength(1)
  expect(got()[0]).toBe(1)
  await engines.probeNow(ID)
  if (second) second.fault = null
  held.open()
  await ask()
  expect(got()[0]).toBe(1)
})

test("an address that replaces an unreachable one is used once it was probed", async () => {
  engines.sync([both({ addresses: [at(`http://127.0.0.1:${await freePort()}`)] })])
  await engines.probeNow(ID)
  await expect(ask()).rejects.toMatchObject({ code: "model_unavailable" })
  await start(both({ addresses: [at(url(1))] }))
  expect(await ask()).toHaveLength(1)
})

test("tokens that one engine could not count are counted by another", async () => {
  await start(both({ tokenizer: "engine" }))
  await doubles[0]?.stop()
  const asked = request()
  const { signal } = new AbortController()
  const count = await engines.get(ID)?.withoutPlace((engine) => engine.countTokens(asked, signal, { accountId: "a" }))
  expect(count).toEqual({ state: 1, questions: [2] })
})
