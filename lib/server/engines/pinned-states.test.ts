import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { Log } from "@/lib/server/platform/log"
import { checkedRequest, noul } from "@/test/checked-request"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { systemOneModel } from "@/test/system-one-model"
import { type EngineModel, Engines } from "./engines"

const silent: Log = { info() {}, warn() {}, error() {} }
const ID = "svc-decider"
const FACTS = {
  n_params: 4_022_468_096,
  size: 4_280_404_480,
  n_vocab: 151_936,
  ftype: "Q8_0",
  file: "Kev-4B-Q8_0.gguf",
}
const onSeen = vi.fn()

let llama: LlamaCppDouble
let engines: Engines

async function start(changes: Partial<EngineModel> = {}): Promise<void> {
  engines.sync([systemOneModel(llama.url, changes)])
  await engines.ready()
}

beforeEach(async () => {
  llama = await startLlamaCpp()
  onSeen.mockReset()
  engines = new Engines({ log: silent, onSeen })
})
afterEach(async () => {
  await engines.close()
  await llama.stop()
})

describe("the form of states", () => {
  const ask = async () => {
    const { signal } = new AbortController()
    const request = checkedRequest({ subject: "Late" }, noul("q", "Is it?"))
    await engines.get(ID)?.run("a", signal, (engine) => engine.answer(request, signal))
    return JSON.parse(llama.requests.findLast(({ path }) => path === "/v1/systemone")?.body ?? "").state
  }

  test("of a new id is found by the first probe and recorded with the other facts", async () => {
    await start()
    expect(onSeen).toHaveBeenLastCalledWith(ID, expect.objectContaining({ facts: { ...FACTS, states: "objects" } }))
    expect(await ask()).toEqual({ subject: "Late" })
  })

  test("that another process recorded applies to the next request", async () => {
    await start()
    engines.sync([systemOneModel(llama.url, { pinnedFacts: { ...FACTS, states: "text" } })])
    await engines.ready()
    expect(await ask()).toBe('{"subject":"Late"}')
    const entry = engines.get(ID)
    engines.sync([systemOneModel(llama.url, { pinnedFacts: { ...FACTS, states: "text" } })])
    expect(engines.get(ID)).toBe(entry)
  })

  test("of an id that was added before is text, and its engine is not replaced when facts are recorded", async () => {
    await start({ promptTemplate: "system-one-1" })
    expect(onSeen).toHaveBeenLastCalledWith(ID, expect.objectContaining({ facts: FACTS }))
    const entry = engines.get(ID)
    engines.sync([systemOneModel(llama.url, { promptTemplate: "system-one-1", pinnedFacts: FACTS })])
    expect(engines.get(ID)).toBe(entry)
    expect(await ask()).toBe('{"subject":"Late"}')
  })
})
