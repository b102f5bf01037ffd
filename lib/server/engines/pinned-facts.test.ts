import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest"
import type { Log } from "@/lib/server/platform/log"
import { checkedRequest, noul } from "@/test/checked-request"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startSglang } from "@/test/doubles/sglang"
import { KEV_FACTS, systemOneModel } from "@/test/system-one-model"
import type { EngineModel } from "./engine-model"
import { Engines } from "./engines"
import { pinProblem, weightsOf } from "./pinned-facts"

const silent: Log = { info() {}, warn() {}, error() {} }
const ID = "svc-decider"
const BUILD = "b11400-0a1b2c3d"
const onSeen = vi.fn()

let llama: LlamaCppDouble
let engines: Engines

async function start(changes: Partial<EngineModel> = {}): Promise<void> {
  engines.sync([systemOneModel(llama.url, { engineBuild: BUILD, ...changes })])
  await engines.ready()
}

function ask(state: string | object = "s") {
  const { signal } = new AbortController()
  const request = checkedRequest(state, noul("q", "Is it?"))
  return engines.get(ID)?.run("a", signal, (engine) => engine.answer(request, signal))
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

test.each([
  ["size", { size: 1_834_426_016 }, "size 1834426016", "size 4280404480"],
  ["number of parameters", { n_params: 1_500_000_000 }, "n_params 1500000000", "n_params 4022468096"],
  ["vocabulary", { n_vocab: 248_320 }, "n_vocab 248320", "n_vocab 151936"],
  ["quantisation", { ftype: "Q4_0" }, "ftype Q4_0", "ftype Q8_0"],
])(
  "weights of another %s under the same name and build are 503 from the next probe on",
  async (_, weights, now, pinned) => {
    await start()
    expect(await ask()).toHaveLength(1)
    Object.assign(llama.settings.weights, weights)
    const reason = `The engine reports ${now}, but this model is pinned to ${pinned}.`
    expect(await engines.probeNow(ID)).toMatchObject({ available: false, reason })
    await expect(ask()).rejects.toMatchObject({ code: "model_unavailable" })
  },
)

test("another file under the name of a pinned one is recognised by its hash, and can be renamed", () => {
  const [pinned, other] = [
    { sha256: "ab12", size: 448_256 },
    { sha256: "cd34", size: 405_760 },
  ]
  expect(pinProblem({ build: null, facts: pinned }, { available: true, facts: other })).toBe(
    "The file has the SHA-256 cd34, but this model is pinned to ab12. Rename the file, and it gets an id of its own.",
  )
})

test("another file of the same shape is 503 until the pinned one returns", async () => {
  await start({ pinnedFacts: KEV_FACTS })
  llama.settings.modelPath = "/srv/models/Kev-4B-tuned-Q8_0.gguf"
  expect(await engines.probeNow(ID)).toMatchObject({ available: false })
  llama.settings.modelPath = "D:\\other folder\\Kev-4B-Q8_0.gguf"
  expect(await engines.probeNow(ID)).toMatchObject({ available: true })
})

test("an id that lacks facts takes them from a probe that matches, without folders of the engine's machine", async () => {
  await start({ pinnedFacts: { n_params: KEV_FACTS.n_params } })
  expect(onSeen).toHaveBeenLastCalledWith(
    ID,
    expect.objectContaining({ facts: { ...KEV_FACTS, states: "objects" } }),
    llama.url,
  )
  expect(JSON.stringify(onSeen.mock.calls)).not.toContain("/srv")
})

test("an id that lacks facts takes none from a probe that does not match", async () => {
  await start({ pinnedFacts: { n_params: 7 } })
  expect(engines.availability(ID).available).toBe(false)
  expect(onSeen).not.toHaveBeenCalled()
})

test("an engine that reported the label mass before a restart is refused without it", async () => {
  const sglang = await startSglang({ labelMass: null })
  onTestFinished(() => sglang.stop())
  const model = { engineModel: "qwen3-8b", tokenizer: "engine-prompt", pinnedFacts: { mass: "reported" } }
  engines.sync([systemOneModel(sglang.url, model)])
  await engines.ready()
  const reason = "The engine's answer to a small noul question cannot be used: the label mass is missing."
  expect(engines.availability(ID)).toEqual({ available: false, reason })
})

test("facts that another process recorded apply at once", async () => {
  await start()
  expect(engines.availability(ID).available).toBe(true)
  engines.sync([systemOneModel(llama.url, { engineBuild: BUILD, pinnedFacts: { ...KEV_FACTS, size: 7 } })])
  expect(engines.availability(ID).available).toBe(false)
})

test.each([
  [{}, {}, {}],
  [{ meta: null, root: "/data/models/kev-4b/" }, {}, { file: "kev-4b" }],
  [{ root: "C:\\models\\kev-4b" }, {}, { file: "kev-4b" }],
  [{ root: "kev-4b" }, {}, { file: "kev-4b" }],
  [{ root: "org/kev-4b" }, { model_path: 7 }, { file: "kev-4b", root: "org/kev-4b" }],
  [{ meta: { n_params: 7, n_embd: 9, ftype: "", size: Number.NaN } }, {}, { n_params: 7 }],
])("of %j and %j the facts are %j", (listed, props, facts) => {
  expect(weightsOf(listed, props)).toEqual(facts)
})

describe("the form of states", () => {
  /** Asks about an object, and returns the state that the engine got. */
  async function sentState(): Promise<unknown> {
    await ask({ subject: "Late" })
    return JSON.parse(llama.requests.findLast(({ path }) => path === "/v1/systemone")?.body ?? "").state
  }

  test("of a new id is found by the first probe and recorded with the other facts", async () => {
    await start()
    expect(onSeen).toHaveBeenLastCalledWith(
      ID,
      expect.objectContaining({ facts: { ...KEV_FACTS, states: "objects" } }),
      llama.url,
    )
    expect(await sentState()).toEqual({ subject: "Late" })
  })

  test("that another process recorded applies to the next request", async () => {
    await start()
    const changes = { engineBuild: BUILD, pinnedFacts: { ...KEV_FACTS, states: "text" as const } }
    engines.sync([systemOneModel(llama.url, changes)])
    await engines.ready()
    expect(await sentState()).toBe('{"subject":"Late"}')
    const probes = () => llama.requests.filter(({ path }) => path === "/v1/models").length
    const before = probes()
    engines.sync([systemOneModel(llama.url, changes)])
    await engines.ready()
    expect(probes()).toBe(before)
  })
})
