import type { Page } from "@playwright/test"
import { startLlamaCpp } from "../test/doubles/llama-cpp"
import { startOllama } from "../test/doubles/ollama"
import { startOllaya } from "../test/doubles/ollaya"
import { startSglang } from "../test/doubles/sglang"
import type { AnyDouble } from "../test/doubles/system-one-double"
import { startTypesafe } from "../test/doubles/typesafe"
import { Clients, type Outcome } from "./support/clients"
import { PlaygroundPage } from "./support/playground"
import { THREE_QUESTIONS } from "./support/requests"
import { Service } from "./support/service"
import { newEmail } from "./support/sign-in"
import { expect, test } from "./support/test"

const ALIAS = "svc-decider-latest"
const DECIDER = "svc-decider-4b-v1-1-api-1"
const LIMITS = { max_questions: 16, max_options: 255, max_levels: 10, max_body_bytes: 29_360_128 }
const FAMILIES: [name: string, start: () => Promise<AnyDouble>, model: string][] = [
  ["llama.cpp", startLlamaCpp, "kev-4b"],
  ["Ollama", startOllama, "nimble"],
  ["SGLang", startSglang, "qwen3-8b"],
  ["ollaya", startOllaya, "laya"],
  ["a TypeSafe-compatible service", startTypesafe, "jev-latest"],
]

interface Answered {
  model: string
  answers: Record<string, { noul?: number; probabilities?: Record<string, number> }>
}

const sumOf = (values: number[]): number => values.reduce((sum, value) => sum + value, 0)

async function runPlayground(page: Page): Promise<Answered> {
  const answered = page.waitForResponse("**/playground/decisions")
  await page.getByRole("button", { name: "Run", exact: true }).click()
  return (await (await answered).json()) as Answered
}

/** Sends the questions as the playground does. */
async function askPlayground(email: string): Promise<Answered> {
  const response = await fetch(`${service.url}/playground/decisions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      cookie: `svcd-session=${await service.createSession(email)}`,
      origin: service.url,
    },
    body: JSON.stringify(THREE_QUESTIONS),
  })
  return (await response.json()) as Answered
}

let first: AnyDouble
let service: Service
/** The key of an account whose balance no test checks. */
let anyKey: string
test.beforeAll(async () => {
  first = await startLlamaCpp()
  service = await Service.start({ LOG_LEVEL: "silent", ENGINE_URL: first.url })
  anyKey = (await service.createAccountWithKey("ada@example.com")).key
})
test.afterAll(async () => {
  await service.destroy()
  await first.stop()
})

async function answeredBy(model: string): Promise<string | undefined> {
  const response = await service.decide(anyKey, { ...THREE_QUESTIONS, model })
  return ((await response.json()) as Partial<Answered>).model
}

/** Adds a model on this engine and waits until it answers. The server finds it within 2 s and probes its engine first. */
async function addModel(id: string, { url }: AnyDouble, engineModel: string, usd = "0.02"): Promise<void> {
  await service.operator("model", "add", id, "--engine-url", url, "--engine-model", engineModel, "--price", usd)
  await expect.poll(() => answeredBy(id)).toBe(id)
}

async function moveAlias(id: string): Promise<void> {
  await service.operator("model", "alias", id)
  await expect.poll(() => answeredBy(ALIAS)).toBe(id)
}

test("ENGINE_URL puts a llama.cpp engine behind the alias, charged by its own tokens", async () => {
  const { data } = (await (await fetch(`${service.url}/v1/models`)).json()) as { data: Record<string, unknown>[] }
  expect(data).toEqual([
    expect.objectContaining({ id: ALIAS, target_model: DECIDER, max_questions: 16 }),
    expect.objectContaining({ id: DECIDER, status: "active", price_per_million_input_tokens_usd: "0.020000" }),
  ])
  const email = newEmail("engine")
  const { key } = await service.createAccountWithKey(email)
  const response = await service.decide(key, THREE_QUESTIONS)
  expect(response.status).toBe(200)
  const { model, usage } = (await response.json()) as { model: string; usage: { input_tokens: number } }
  expect(model).toBe(DECIDER)
  const { balance_usd } = await service.operator<{ balance_usd: string }>("account", "show", email)
  expect(BigInt(balance_usd.replace(".", ""))).toBe(11_000_000_000_000n - BigInt(usage.input_tokens) * 20_000n)
})

for (const [name, start, model] of FAMILIES)
  test(`a decision is answered through ${name}, by the API and for the playground`, async () => {
    const engine = await start()
    const id = `svc-${model}-1`
    await addModel(id, engine, model)
    await moveAlias(id)
    const { data } = (await (await fetch(`${service.url}/v1/models`)).json()) as { data: unknown[] }
    expect(data).toContainEqual(expect.objectContaining({ id: ALIAS, kind: "alias", target_model: id, ...LIMITS }))
    expect(data).toContainEqual(expect.objectContaining({ id, kind: "pinned", status: "active", ...LIMITS }))
    const response = await service.decide(anyKey, THREE_QUESTIONS)
    expect(response.status).toBe(200)
    const answered = (await response.json()) as Answered
    for (const { model: by, answers } of [answered, await askPlayground("ada@example.com")]) {
      expect(by).toBe(id)
      expect(Object.keys(answers)).toEqual(Object.keys(THREE_QUESTIONS.questions))
      for (const { noul, probabilities } of Object.values(answers))
        expect(noul ?? sumOf(Object.values(probabilities ?? {}))).toBeLessThanOrEqual(1 + 1e-12)
    }
    expect(engine.requests.some(({ body }) => body.includes('"model":"svc-'))).toBe(false)
    await moveAlias(DECIDER)
    await engine.stop()
  })

test("the playground runs on an engine, shows how much of its input limit is used, and reports a run beyond it", async ({
  page,
}) => {
  const play = await PlaygroundPage.enter(page, service, newEmail("metered"))
  expect((await runPlayground(page)).model).toBe(DECIDER)
  const meter = page.getByText(/^[\d,]+ of 16,384 tokens \(state [\d,]+ \+ longest question [\d,]+\)$/)
  await expect(meter).toBeVisible()
  // The double reads a token in each word of up to four letters.
  await play.fill(play.state, "word ".repeat(14_000))
  await expect(meter).toHaveText(/^14,\d{3} of 16,384 tokens \(state 14,0/)
  await expect(meter.locator("..").locator("rect").last()).toHaveClass(/warn/)
  await expect(page.getByText("over this model's input limit")).toBeHidden()
  await play.fill(play.state, "word ".repeat(16_500))
  await expect(page.getByText(/^The input is [\d,]+ tokens over this model's input limit of 16,384/)).toBeVisible()
  await page.getByRole("button", { name: "Run", exact: true }).click()
  const alert = page.getByRole("region", { name: "Answers" }).getByRole("alert")
  await expect(alert).toContainText("The model cannot process this input")
  await expect(alert).toContainText(/Shorten the state, which has 16,5\d\d tokens/)
  await alert.getByRole("button", { name: "Go to the state" }).click()
  await expect(play.state).toBeFocused()
})

test("answers 255 options and 16 questions through an engine that accepts 26 options and one question per call", async () => {
  const engine = await startLlamaCpp({ maxOptions: 26, maxQuestions: 1 })
  const model = "svc-narrow-1"
  await addModel(model, engine, "kev-4b")
  const options = Array.from({ length: 255 }, (_, i) => `option ${i}`)
  const others = Array.from({ length: 15 }, (_, i) => [`q${i}`, { type: "noul", instructions: `Is it ${i}?` }])
  const many = { type: "choice", criteria: Object.fromEntries(options.map((option) => [option, null])) }
  const questions = { many, ...Object.fromEntries(others) }
  const response = await service.decide(anyKey, { model, state: "One of many", questions })
  expect(response.status).toBe(200)
  const { answers } = (await response.json()) as Answered
  expect(Object.keys(answers)).toEqual(Object.keys(questions))
  expect(Object.keys(answers.many?.probabilities ?? {})).toEqual(options)
  expect(sumOf(Object.values(answers.many?.probabilities ?? {}))).toBeCloseTo(1, 12)
  await engine.stop()
})

test("when an engine is killed under load, only 200s are charged, and it is used again within 20 s of its restart", async () => {
  let engine = await startLlamaCpp()
  const [email, model] = [newEmail("loaded"), "svc-killed-1"]
  try {
    await addModel(model, engine, "kev-4b")
    const { key } = await service.createAccountWithKey(email)
    engine.fault = { kind: "slow", ms: 200 }
    const clients = new Clients(service, key, { body: { ...THREE_QUESTIONS, model }, pauseMs: 150 })
    await clients.goOn(40)
    const usualMs = clients.outcomes.map(({ ms }) => ms).toSorted((a, b) => a - b)[20] ?? 0
    const killedAt = performance.now()
    await engine.stop()
    // Compared with answers under the same load, of which the engine spends 200 ms on each.
    const isFast = ({ status, ms }: Outcome) => status === 503 && ms < 5 * usualMs
    await expect.poll(() => clients.since(killedAt).slice(-20).filter(isFast).length).toBe(20)
    const refusedAt = performance.now()
    await expect.poll(() => clients.since(refusedAt).length).toBeGreaterThan(20)
    expect(new Set(clients.since(refusedAt).map(({ status }) => status))).toEqual(new Set([503]))

    engine = await startLlamaCpp({ port: engine.port })
    const backAt = performance.now()
    await expect
      .poll(() => clients.since(backAt).some(({ status }) => status === 200), { timeout: 20_000, intervals: [100] })
      .toBe(true)
    const outcomes = await clients.stop()
    const lost = outcomes.filter(({ sentAt, ms }) => sentAt < killedAt && sentAt + ms > killedAt + 1)
    expect(lost.length).toBeGreaterThan(0)
    for (const { status } of lost) expect([200, 502, 503, 504]).toContain(status)
    expect(new Set(outcomes.map(({ status }) => status)).size).toBeLessThanOrEqual(4)

    // Exactly what was answered 200 is charged: $10 and the welcome credit of $1, at 20,000 pico-USD a token.
    const charged = BigInt(sumOf(outcomes.filter(({ status }) => status === 200).map(({ tokens }) => tokens))) * 20_000n
    const account = () => service.operator<{ balance_usd: string; held_usd: string }>("account", "show", email)
    expect(BigInt((await account()).balance_usd.replace(".", ""))).toBe(11_000_000_000_000n - charged)
    // The server ends idle grants within a few seconds. Until then, their unused amount counts as held.
    await expect.poll(async () => (await account()).held_usd).toBe("0.000000000000")
    expect((await service.operator<{ ok: boolean }>("ledger", "verify")).ok).toBe(true)
  } finally {
    await engine.stop()
  }
})

test("the alias moves under load: every response names the model that answered it, and none fails", async () => {
  const second = await startOllama()
  try {
    const next = "svc-decider-next-1"
    await addModel(next, second, "nimble", "0")
    const { key } = await service.createAccountWithKey(newEmail("moving"))
    const before = first.requests.length
    const clients = new Clients(service, key, { body: THREE_QUESTIONS, clients: 10, pauseMs: 100 })
    for (const target of [next, DECIDER, next]) {
      await service.operator("model", "alias", target)
      // A request that is sent after an answer by the target is never answered by the model before.
      await expect.poll(() => clients.outcomes.at(-1)?.model).toBe(target)
      const movedAt = performance.now()
      await expect.poll(() => clients.since(movedAt).length).toBeGreaterThan(10)
      expect(new Set(clients.since(movedAt).map(({ model }) => model))).toEqual(new Set([target]))
    }
    const outcomes = await clients.stop()
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(outcomes.map(({ model }) => model))).toEqual(new Set([DECIDER, next]))
    // Each engine received at least the requests whose responses name it. Probes have other questions.
    const asked = (requests: AnyDouble["requests"]) =>
      requests.filter(({ body }) => body.includes("charged twice")).length
    const named = (model: string) => outcomes.filter((outcome) => outcome.model === model).length
    expect(asked(first.requests.slice(before))).toBeGreaterThanOrEqual(named(DECIDER))
    expect(asked(second.requests)).toBeGreaterThanOrEqual(named(next) * 3)
  } finally {
    await second.stop()
  }
})
