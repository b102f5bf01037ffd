import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Log } from "@/lib/server/platform/log"
import { checkedRequest, noul } from "@/test/checked-request"
import { type LlamaCppDouble, type LlamaCppSettings, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { gate } from "@/test/scripted-engine"
import { at, LEXICAL, systemOneModel } from "@/test/system-one-model"
import { Engines } from "./engines"

const ID = "svc-decider"
const request = checkedRequest("A state", noul("q", "Is it?"))
const silent: Log = { info() {}, warn() {}, error() {} }

let llama: LlamaCppDouble
let engines: Engines
beforeEach(async () => {
  llama = await startLlamaCpp()
})
afterEach(async () => {
  await engines.close()
  await llama.stop()
})

async function start(settings: Partial<LlamaCppSettings>, processes = 1): Promise<void> {
  Object.assign(llama.settings, settings)
  // No probe of its own during a test.
  engines = new Engines({ log: silent, onSeen: () => {}, processes, timing: { everyMs: 60_000, probeLimitMs: 5_000 } })
  engines.sync([LEXICAL, systemOneModel(llama.url, settings.isPlainWire ? { tokenizer: null } : {})])
  await engines.probeNow(ID)
}

function run(accountId: string, isOfBatch: boolean) {
  const { signal } = new AbortController()
  return engines.get(ID)?.run(accountId, signal, (engine) => engine.answer(request, signal), { isOfBatch })
}

describe("states of batches have", () => {
  test.each([
    ["one place fewer than the engine has slots", { slots: 4 }, 1, 3],
    ["one place at an engine of one slot", { slots: 1 }, 1, 1],
    ["8 places at an engine that reports no slots", { isPlainWire: true }, 1, 8],
    ["an even part of the places in each of two processes", { slots: 9 }, 2, 4],
  ])("%s", async (_what, settings, processes, places) => {
    await start(settings, processes)
    expect(engines.get(ID)?.batchPlaces).toBe(places)
  })

  test("8 places at the built-in scorer, and one at an engine that cannot be used", async () => {
    await start({})
    await llama.stop()
    engines.sync([LEXICAL, systemOneModel("http://127.0.0.1:9")])
    expect([engines.get(LEXICAL.id)?.batchPlaces, engines.get(ID)?.batchPlaces]).toEqual([8, 1])
  })

  test("the places of all addresses together", async () => {
    const second = await startLlamaCpp({ slots: 8 })
    await start({ slots: 4 })
    engines.sync([systemOneModel("", { addresses: [at(llama.url), at(second.url)] })])
    await engines.probeNow(ID)
    expect(engines.get(ID)?.batchPlaces).toBe(10)
    await engines.close()
    await second.stop()
  })
})

test("the states of all batches together leave a slot to a single request, which waits for none of them", async () => {
  await start({ slots: 4 })
  const { wait, open } = gate()
  llama.fault = { kind: "held", until: wait() }
  llama.mostWorking = 0
  const states = Array.from({ length: 8 }, (_, i) => run(`account ${i % 2}`, true))
  await expect.poll(() => llama.working).toBe(3)
  const single = run("another", false)
  await expect.poll(() => llama.working).toBe(4)
  open()
  expect(await Promise.all([...states, single])).toHaveLength(9)
  expect(llama.mostWorking).toBe(4)
})

test("a state with several calls takes further places only among those of batches", async () => {
  await start({ slots: 4 })
  const takeThree = (isOfBatch: boolean) =>
    engines.get(ID)?.run(
      "a",
      new AbortController().signal,
      async (_engine, take) => {
        const taken = [take(), take(), take()]
        for (const leave of taken) leave?.()
        return taken.map((leave) => leave !== null)
      },
      { isOfBatch },
    )
  // The second time finds all places left.
  for (let i = 0; i < 2; i++) expect(await takeThree(true)).toEqual([true, true, false])
  expect(await takeThree(false)).toEqual([true, true, true])
})

test("states that wait for a place are refused when the engine closes", async () => {
  await start({ slots: 4 })
  const { wait, open } = gate()
  llama.fault = { kind: "held", until: wait() }
  const outcomes = Promise.allSettled(Array.from({ length: 5 }, () => run("a", true)))
  await expect.poll(() => llama.working).toBe(3)
  const closed = engines.close()
  open()
  await closed
  expect((await outcomes).map(({ status }) => status)).toEqual([
    ...Array(3).fill("fulfilled"),
    ...Array(2).fill("rejected"),
  ])
})
