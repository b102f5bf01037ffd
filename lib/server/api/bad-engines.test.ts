import { afterAll, afterEach, expect, it, vi } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { addModel } from "@/lib/server/models/add-model"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import {
  type AnyDouble,
  answers,
  BAD,
  edited,
  type Kind,
  LLAMA_LABELS,
  put,
  SGLANG,
  type Spoil,
  SYSTEM_ONE,
  settings,
} from "@/test/bad-engines"
import { startOllaya } from "@/test/doubles/ollaya"
import { startSglang } from "@/test/doubles/sglang"
import { insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testService } from "@/test/service"

const PRICE = 1_000n
const QUESTIONS = {
  angry: { type: "noul", instructions: "Is it angry?" },
  topic: { type: "choice", instructions: "Topic?", criteria: { bill: null, other: null } },
  level: { type: "score", instructions: "How angry?", criteria: ["calm", "cross", "angry"] },
}

const service = await testService()
const started: { stop(): Promise<void> }[] = []
let models = 0

afterEach(async () => {
  expect((await verifyLedger(runtime())).checks.filter(({ ok }) => !ok)).toEqual([])
})
afterAll(() => Promise.all(started.map((double) => double.stop())))

const probe = (id: string) => runtime().engines.probeNow(id)

/** Adds a model on this double and probes it. */
async function serve(start: Promise<unknown>, engineModel: string, engine: "system-one" | "labels", bad?: Spoil) {
  const double = (await start) as AnyDouble
  started.push(double)
  bad?.(double)
  const id = `svc-bad-${++models}`
  const model = { id, engineUrl: double.url, engineModel, pricePico: pico(PRICE), tokenizerFolder: null }
  await addModel(runtime(), OPERATOR, { ...model, engine, bothOrders: false })
  const state = await vi.waitFor(
    async () => {
      await loadCatalogue(runtime())
      const found = await probe(id)
      if (found.available) expect(runtime().catalogue.find(id)?.tokenizer).toBeTruthy()
      return found
    },
    { timeout: 20_000 },
  )
  return { id, double, state }
}

/** Sends a request. Returns its status, what it was charged, and what is still held. */
async function send(model: string, state = "I was charged twice.", questions: object = QUESTIONS) {
  const { accountId, token } = await insertPayer()
  const before = await moneyOf(accountId)
  const { status } = await service.decide(token, { model, state, questions })
  const { balance, held } = await moneyOf(accountId)
  return { status, tokens: Number((before.balance - balance) / PRICE), held }
}

it.each(BAD)("%s: not used from the first probe on", async (_, { start, model, engine }, spoil, reason) => {
  const { state, id } = await serve(start(), model, engine, spoil)
  expect(state).toMatchObject({ available: false, reason: expect.stringMatching(reason) })
  expect(await send(id)).toEqual({ status: 503, tokens: 0, held: 0n })
})

it.each(BAD)(
  "%s, later: 502, charged nothing, and found out within one probe",
  async (_, { start, model, engine }, spoil, reason) => {
    const { id, double, state } = await serve(start(), model, engine)
    expect(state).toMatchObject({ available: true })
    expect(await send(id)).toMatchObject({ status: 200, held: 0n })
    spoil(double)
    expect(await send(id)).toEqual({ status: 502, tokens: 0, held: 0n })
    expect(await probe(id)).toMatchObject({ available: false, reason: expect.stringMatching(reason) })
    expect(await send(id)).toEqual({ status: 503, tokens: 0, held: 0n })
    double.fault = null
    Object.assign(double.settings, "labelMass" in double.settings ? { labelMass: 0.9375 } : {})
    // The first one may be a probe that began before.
    await expect.poll(() => probe(id)).toMatchObject({ available: true })
  },
)

it.each<[string, Kind, Spoil]>([
  [
    "rounds a choice to a sum of 1.01",
    SYSTEM_ONE,
    answers("choice", (a) => {
      put(0.34, 0.67)(a)
      delete a.choice
    }),
  ],
  [
    "rounds a score of three levels to a mean 0.03 away",
    SYSTEM_ONE,
    answers("score", (a) => {
      a.score += 0.029
    }),
  ],
  [
    "writes a noul that is 1e-9 over 1",
    SYSTEM_ONE,
    answers("noul", (a) => {
      a.noul = 1 + 1e-9
    }),
  ],
  [
    "is sure of one option and gives the others 0",
    SYSTEM_ONE,
    answers("choice", (a) => {
      put(1, 0)(a)
      a.choice = Object.keys(a.probabilities)[0]
    }),
  ],
  ["reports probabilities of the whole vocabulary", SGLANG, settings({ labelMass: 0.6 })],
  [
    "has p = 1 for one label beside finite others",
    LLAMA_LABELS,
    edited(({ completion_probabilities: [{ top_probs: list }] }) => {
      if (list) for (const [i, entry] of list.entries()) entry.prob = i === 0 ? 1 : 1e-30
    }),
  ],
])("an engine that %s is answered and charged", async (_, { start, model, engine }, spoil) => {
  const { id, double } = await serve(start(), model, engine)
  const usual = await send(id)
  spoil(double)
  expect(await send(id)).toEqual({ ...usual, status: 200 })
  expect(usual.tokens).toBeGreaterThan(0)
})

it("an engine that cuts long texts is found out: 400 beyond what it reads, charged nothing", async () => {
  const { id, state } = await serve(startOllaya({ cutsAt: 512 }), "laya", "system-one")
  expect(state.findings?.find(({ name }) => name === "context")).toEqual({
    name: "context",
    value: expect.stringMatching(/^4[3-9]\d tokens$|^50\d tokens$/),
    meaning: expect.stringContaining("The engine cuts longer input without saying so"),
  })
  const question = { angry: QUESTIONS.angry }
  expect(await send(id, "please refund me ".repeat(580), question)).toEqual({ status: 400, tokens: 0, held: 0n })
  expect(await send(id, "please refund me ".repeat(20), question)).toMatchObject({ status: 200, tokens: 88 })
})

it("SGLang that reported the label mass and leaves it out later: 502, charged nothing, and found out within one probe", async () => {
  const { id, double } = await serve(startSglang({ labelMass: 0.6 }), "qwen3-8b", "system-one")
  expect(await send(id)).toMatchObject({ status: 200 })
  edited(({ answers }) => {
    for (const name of Object.keys(answers)) delete answers[name].x_label_mass
  })(double)
  expect(await send(id)).toEqual({ status: 502, tokens: 0, held: 0n })
  const reason = "The engine's answer to a small noul question cannot be used: the label mass is missing."
  expect(await probe(id)).toMatchObject({ available: false, reason })
  const { rows } = await runtime().pool.query("SELECT pinned_facts FROM model WHERE id = $1", [id])
  expect(rows[0].pinned_facts).toMatchObject({ mass: "reported" })
})

it("the label mass of served answers is a metric, per model and question type", async () => {
  const { id } = await serve(startSglang({ labelMass: 0.55 }), "qwen3-8b", "system-one")
  await send(id)
  const text = await (await fetch(`${service.url}/metrics`)).text()
  for (const type of ["noul", "choice", "score"]) {
    expect(text).toContain(`svc_label_mass_bucket{le="0.5",model="${id}",type="${type}"} 0\n`)
    expect(text).toContain(`svc_label_mass_bucket{le="0.6",model="${id}",type="${type}"} 1\n`)
  }
})
