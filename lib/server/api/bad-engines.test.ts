import { afterAll, afterEach, expect, it, vi } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { addModel } from "@/lib/server/models/add-model"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import type { DecisionBody } from "@/test/doubles/decision-model"
import type { Double, Keyed } from "@/test/doubles/engine-double"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startLlamaCppChat } from "@/test/doubles/llama-cpp-chat"
import { startOllaya } from "@/test/doubles/ollaya"
import { startSglang } from "@/test/doubles/sglang"
import { startSglangChat } from "@/test/doubles/sglang-chat"
import { startVllm } from "@/test/doubles/vllm"
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

// biome-ignore lint/suspicious/noExplicitAny: engines' answers are edited freely here.
type Edited = any
type AnyDouble = Double<Keyed, Edited>

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

type Spoil = (double: AnyDouble) => void

const edited =
  (edit: (body: Edited) => void): Spoil =>
  (double) => {
    double.fault = {
      kind: "edited",
      edit: (body) => {
        edit(body)
        return body
      },
    }
  }

/** Changes every answer of a type. */
const answers = (type: string, change: (answer: Edited) => void) =>
  edited((body: DecisionBody) => {
    for (const answer of Object.values(body.answers)) if (answer.type === type) change(answer)
  })

/** Puts these numbers in the place of the first probabilities. */
const put =
  (...numbers: unknown[]) =>
  ({ probabilities }: Edited) => {
    for (const [i, name] of Object.keys(probabilities).entries())
      if (i < numbers.length) probabilities[name] = numbers[i]
  }

const settings =
  (change: object): Spoil =>
  (double) =>
    Object.assign(double.settings, change)

const kev = () => startLlamaCpp({ noise: 0 })
const SYSTEM_ONE = { start: kev, model: "kev-4b", engine: "system-one" } as const
const SGLANG = { start: () => startSglang(), model: "qwen3-8b", engine: "system-one" } as const
const LLAMA_LABELS = { start: () => startLlamaCppChat(), model: "qwen-toy", engine: "labels" } as const
const VLLM_LABELS = { start: () => startVllm(), model: "qwen-toy", engine: "labels" } as const
const SGLANG_LABELS = { start: () => startSglangChat(), model: "qwen-toy", engine: "labels" } as const
type Kind = { start(): Promise<unknown>; model: string; engine: "system-one" | "labels" }

/** Keeps the written token alone, as sure as can be. */
const onlyWritten = edited(({ completion_probabilities: [position] }) => {
  const list = position.top_probs ?? position.top_logprobs
  const isAfter = position.top_probs !== undefined
  list.splice(1)
  list[0][isAfter ? "prob" : "logprob"] = isAfter ? 1 : 0
})
const vllmTop = (change: (top: Record<string, number>, written: string) => void) =>
  edited(({ choices: [{ logprobs }] }) => change(logprobs.top_logprobs[0], logprobs.tokens[0]))

const BAD: [kind: string, engine: Kind, spoil: Spoil, reason: RegExp][] = [
  [
    "an option is missing",
    SYSTEM_ONE,
    answers("choice", ({ probabilities: p }) => delete p[Object.keys(p)[1] ?? ""]),
    /choice question cannot be used: an answer, option or level is missing/,
  ],
  [
    "an option was not asked for",
    SYSTEM_ONE,
    answers("choice", ({ probabilities: p }) => Object.assign(p, { more: 0 })),
    /an answer, option or level is missing or was not asked for/,
  ],
  [
    "a choice sums to 0.95",
    SYSTEM_ONE,
    answers("choice", (a) => {
      put(0.6, 0.35)(a)
      delete a.choice
    }),
    /do not sum to 1/,
  ],
  [
    "a choice sums to 1.02",
    SYSTEM_ONE,
    answers("choice", (a) => {
      put(0.6, 0.42)(a)
      delete a.choice
    }),
    /do not sum to 1/,
  ],
  [
    "a score sums to 0.5",
    SYSTEM_ONE,
    answers("score", (a) => {
      put(0.25, 0.25, 0)(a)
      delete a.score
    }),
    /score question cannot be used: the probabilities do not sum to 1/,
  ],
  ["all levels are 0", SYSTEM_ONE, answers("score", put(0, 0, 0)), /sum to 0/],
  [
    "yes and no sum to 1.2",
    SYSTEM_ONE,
    answers("noul", (a) => Object.assign(a, { noul: 0.6, probabilities: { yes: 0.6, no: 0.6 } })),
    /noul question cannot be used: the probabilities do not sum to 1/,
  ],
  [
    "yes is stated as two numbers",
    SYSTEM_ONE,
    answers("noul", (a) => Object.assign(a, { noul: 0.1, probabilities: { yes: 0.9, no: 0.1 } })),
    /stated as two numbers/,
  ],
  [
    "the choice is not the largest",
    SYSTEM_ONE,
    answers("choice", (a) => {
      put(0.6, 0.4)(a)
      a.choice = Object.keys(a.probabilities)[1]
    }),
    /not the most likely option/,
  ],
  [
    "the choice is no option",
    SYSTEM_ONE,
    answers("choice", (a) => {
      a.choice = "nobody"
    }),
    /not the most likely option/,
  ],
  [
    "the score is not the mean",
    SYSTEM_ONE,
    answers("score", (a) => {
      a.score += 0.04
    }),
    /not the mean of the levels/,
  ],
  [
    "a noul is over 1",
    SYSTEM_ONE,
    answers("noul", (a) => {
      a.noul = 1.00000001
    }),
    /outside of 0 to 1/,
  ],
  [
    "a level is below 0",
    SYSTEM_ONE,
    answers("score", (a) => {
      put(-0.00000001, 0.5, 0.50000001)(a)
      delete a.score
    }),
    /outside of 0 to 1/,
  ],
  ["a number is null, as some write NaN", SYSTEM_ONE, answers("choice", put(Number.NaN)), /a probability is missing/],
  [
    "NaN itself",
    SYSTEM_ONE,
    (double) => {
      double.fault = { kind: "nonsense", body: '{"answers":{"test":{"type":"noul","noul":NaN}}}' }
    },
    /no JSON/,
  ],
  [
    "another type",
    SYSTEM_ONE,
    answers("noul", (a) => {
      a.type = "score"
    }),
    /another type/,
  ],
  ["the label mass is 0.3", SGLANG, settings({ labelMass: 0.3 }), /with a label only 30 % of the time/],
  [
    "probabilities and label mass differ",
    SGLANG,
    answers("choice", (a) => {
      a.x_label_mass = 0.6
    }),
    /do not sum to the label mass/,
  ],
  [
    "llama.cpp lists the written token alone, with p = 1",
    LLAMA_LABELS,
    onlyWritten,
    /reports only the token that it wrote/,
  ],
  [
    "vLLM leaves out a label",
    VLLM_LABELS,
    vllmTop((top, written) => {
      for (const id of Object.keys(top)) if (id !== written) delete top[id]
    }),
    /ignores logprob_token_ids|a label that was asked for is missing/,
  ],
  [
    "vLLM knows one label alone",
    VLLM_LABELS,
    vllmTop((top, written) => {
      for (const id of Object.keys(top)) top[id] = id === written ? 0 : -9_999
    }),
    /restricts or biases/,
  ],
  [
    "SGLang knows one label alone",
    SGLANG_LABELS,
    edited(({ meta_info: info }) => {
      for (const [i, entry] of info.output_token_ids_logprobs[0].entries()) entry[0] = i === 0 ? 0 : null
    }),
    /restricts or biases/,
  ],
]

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
    expect(await probe(id)).toMatchObject({ available: true })
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

it("the label mass of served answers is a metric, per model and question type", async () => {
  const { id } = await serve(startSglang({ labelMass: 0.55 }), "qwen3-8b", "system-one")
  await send(id)
  const text = await (await fetch(`${service.url}/metrics`)).text()
  for (const type of ["noul", "choice", "score"]) {
    expect(text).toContain(`svc_label_mass_bucket{le="0.5",model="${id}",type="${type}"} 0\n`)
    expect(text).toContain(`svc_label_mass_bucket{le="0.6",model="${id}",type="${type}"} 1\n`)
  }
})
