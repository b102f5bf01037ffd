import { describe, expect, test, vi } from "vitest"
import { checkedRequest, choice, jsonText, noul, score } from "@/test/checked-request"
import { startVllmDecisions, type VllmDecisionsDouble, type VllmDecisionsSettings } from "@/test/doubles/vllm-decisions"
import { printFigure } from "@/test/figures"
import { engineOpener } from "@/test/open-engine"
import { systemOneModel } from "@/test/system-one-model"
import { Engines } from "../engines"
import { weightsOf } from "../pinned-facts"
import type { SystemOneSettings } from "./system-one-settings"

const never = new AbortController().signal
const manyPlaces = () => () => {}
const open = engineOpener()
const start = (settings: Partial<VllmDecisionsSettings> = {}, engine: Partial<SystemOneSettings> = {}) =>
  open(startVllmDecisions(settings), engine)
const decisions = ({ requests }: VllmDecisionsDouble) => requests.filter(({ path }) => path === "/v1/systemone")
const lastBody = (double: VllmDecisionsDouble) => JSON.parse(decisions(double).at(-1)?.body ?? "{}")

describe("a probe", () => {
  test("recognises vLLM, its context and how it reads questions", async () => {
    const { found } = await start()
    expect(found).toMatchObject({
      available: true,
      build: "model qwen3-8b",
      facts: { version: "0.33.0", file: "Qwen3-8B", states: "text" },
      tokenizer: "engine-prompt",
    })
    const findings = Object.fromEntries(found.findings?.map(({ name, value }) => [name, value]) ?? [])
    expect(findings).toMatchObject({
      engine: "vLLM",
      questions: "read apart",
      options: "up to 26",
      context: "18432 tokens",
      pin: "model qwen3-8b, file Qwen3-8B, version 0.33.0",
    })
  })

  test("takes a server without a version for another engine of the protocol", async () => {
    const { double, engine } = await start()
    double.fault = { kind: "route", path: "/version", status: 404 }
    const found = await engine.probe(never)
    expect(found.findings?.find(({ name }) => name === "engine")?.value).toBe("System One")
  })

  test("names the labels as a way for a model without decisions", async () => {
    const { found } = await start({ isSupported: false })
    expect(found).toMatchObject({ available: false })
    expect(found.reason).toBe(
      'qwen3-8b is not a decision model (HTTP 501): "The model does not support structured decisions". If qwen3-8b is an ordinary chat model, add a new id with `model add … --labels`.',
    )
  })

  test.each([
    ["a label mass of 0.49", { labelMass: 0.49 }, /a label only 49 % of the time/],
    ["a likelier token that is no label", { argmaxIsLabel: false }, /would rather write something else than a label/],
  ])("refuses a model with %s", async (_, settings, reason) => {
    const { found } = await start(settings)
    expect(found).toMatchObject({ available: false, isWrong: true, reason: expect.stringMatching(reason) })
  })

  test("refuses a wrong key, although /version needs none", async () => {
    const { found } = await start({ apiKey: "k" }, { apiKey: "other" })
    expect(found).toMatchObject({ available: false, reason: "The engine refuses its API key (HTTP 401)." })
  })
})

test.each([
  ["version", { version: "0.34.0" }, "version 0.34.0", "version 0.33.0"],
  ["folder of weights", { root: "/srv/models/Qwen3-8B-tuned" }, "file Qwen3-8B-tuned", "file Qwen3-8B"],
  ["owner on the hub", { root: "other/Qwen3-8B" }, "root other/Qwen3-8B", "root Qwen/Qwen3-8B", "Qwen/Qwen3-8B"],
])(
  "another %s is unavailable from the next probe on",
  async (_, change, now, pinned, root = "/srv/models/Qwen3-8B") => {
    const double = await startVllmDecisions({ root })
    const engines = new Engines({ log: { info() {}, warn() {}, error() {} }, onSeen() {} })
    const model = systemOneModel(double.url, {
      engineModel: "qwen3-8b",
      tokenizer: "engine-prompt",
      engineBuild: "model qwen3-8b",
      pinnedFacts: { ...weightsOf({ root }, {}), version: "0.33.0", states: "text" },
    })
    try {
      engines.sync([model])
      expect(await engines.probeNow(model.id)).toMatchObject({ available: true })
      Object.assign(double.settings, change)
      const reason = `The engine reports ${now}, but this model is pinned to ${pinned}.`
      expect(await engines.probeNow(model.id)).toMatchObject({ available: false, reason })
    } finally {
      await engines.close()
      await double.stop()
    }
  },
)

const nouls = (count: number) => Array.from({ length: count }, (_, i) => noul(`q${i}`, `Is it ${i}?`))

describe("questions", () => {
  test.each([
    [16, [16]],
    [64, [64]],
    [100, [64, 36]],
  ])("%i are asked in calls of %j", async (count, sizes) => {
    const { engine, calls } = await start()
    expect(await engine.answer(checkedRequest("s", ...nouls(count)), never, manyPlaces)).toHaveLength(count)
    expect(calls().map((questions) => questions.length)).toEqual(sizes)
    printFigure(`calls per ${count} questions, vLLM`, calls().length)
  })

  test("of more than 26 options are asked in groups of at most 26", async () => {
    const { engine, calls } = await start()
    const names = Array.from({ length: 60 }, (_, i) => `o${i}`)
    const [answer] = await engine.answer(checkedRequest("s", choice("q", "Which?", names)), never, manyPlaces)
    expect(answer).toMatchObject({ type: "choice", probabilities: { length: 60 } })
    const sizes = calls().map(([question]) => question?.options ?? 0)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(26)
  })

  test("with equal levels are asked with distinct ones", async () => {
    const { double, engine } = await start()
    const levels = ["same", "Level 1", "", "same", jsonText(["a"], '["a"]'), '["a"]', "same (2)", "Level 2"]
    const [answer] = await engine.answer(checkedRequest("s", score("q", "How?", levels)), never)
    expect(answer).toMatchObject({ type: "score", probabilities: { length: 8 } })
    expect(lastBody(double).questions.q.criteria).toEqual([
      "same",
      "Level 1",
      "Level 2",
      "same (3)",
      '["a"]',
      '["a"] (2)',
      "same (2)",
      "Level 2 (2)",
    ])
  })

  test("that are objects, or have objects as descriptions, are sent as text, because vLLM writes objects as Python does", async () => {
    const { double, engine } = await start()
    const asked = [
      noul("a", { ask: "this" }, { yes: { is: true } }),
      choice("b", "Which?", [
        ["x", { d: 1 }],
        ["y", null],
      ]),
    ]
    await engine.answer(checkedRequest({ a: 1 }, ...asked), never)
    expect(lastBody(double)).toMatchObject({
      state: '{"a":1}',
      questions: {
        a: { instructions: '{"ask":"this"}', criteria: { true: '{"is":true}' } },
        b: { criteria: { x: '{"d":1}', y: null } },
      },
    })
  })

  test("longer than the context are refused and not shortened", async () => {
    const { engine } = await start({ maxModelLen: 256 })
    const long = checkedRequest("word ".repeat(400), noul("q", "Is it?"))
    await expect(engine.answer(long, never)).rejects.toMatchObject({ code: "invalid_request" })
  })
})

describe("caches", () => {
  test("of accounts are kept apart by a salt that does not name the account", async () => {
    const { double, engine } = await start(
      {},
      { cacheSalt: (accountId) => `salt of ${accountId.length} ${accountId[0]}` },
    )
    const ask = (accountId: string) =>
      engine.answer(checkedRequest("s", noul("q", "Is it?")), never, manyPlaces, { accountId })
    for (const accountId of ["one", "two", "one"]) await ask(accountId)
    const salts = decisions(double)
      .slice(-3)
      .map(({ body }) => JSON.parse(body).cache_salt)
    expect(salts).toEqual(["salt of 3 o", "salt of 3 t", "salt of 3 o"])
  })

  test("are shared by requests for nobody, such as probes", async () => {
    const { double } = await start({}, { cacheSalt: () => "salt" })
    expect(decisions(double).filter(({ body }) => body.includes("cache_salt"))).toEqual([])
  })
})

describe("the label mass of a served answer", () => {
  const served = async (labelMass: number) => {
    const seen = vi.fn()
    const observer = { labelMass: seen, clamped() {} }
    const { double, engine } = await start({}, { labelMassMin: 0.5, observer })
    double.settings.labelMass = labelMass
    const asked = [noul("a", "Is it?"), score("b", "How?", ["low", "high"]), choice("c", "Which?", ["x", "y"])]
    return { seen, answering: engine.answer(checkedRequest("s", ...asked), never) }
  }

  test("is reported by question type", async () => {
    const { seen, answering } = await served(0.75)
    expect(await answering).toHaveLength(3)
    expect(seen.mock.calls).toEqual([
      ["noul", 0.75],
      ["score", 0.75],
      ["choice", 0.75],
    ])
  })

  test("below the minimum is reported, and the answer is not used", async () => {
    const { seen, answering } = await served(0.49)
    await expect(answering).rejects.toMatchObject({ code: "upstream_error" })
    expect(seen.mock.calls[0]).toEqual(["noul", 0.49])
  })
})
