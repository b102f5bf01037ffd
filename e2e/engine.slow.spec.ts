import { type LlamaCppDouble, startLlamaCpp } from "../test/doubles/llama-cpp"
import { THREE_QUESTIONS } from "./support/requests"
import { Service } from "./support/service"
import { newEmail } from "./support/sign-in"
import { expect, test } from "./support/test"

const DECIDER = "svc-decider-4b-v1-1-api-1"

/** Counts the decisions that reached the engine. Probes ask about other texts. */
const asked = (): number =>
  engine.requests.filter(({ path, body }) => path === "/v1/systemone" && body.includes("charged twice")).length

let engine: LlamaCppDouble
let service: Service
test.beforeAll(async () => {
  engine = await startLlamaCpp()
  service = await Service.start({ SERVE: "api", LOG_LEVEL: "silent", ENGINE_URL: engine.url })
})
test.afterAll(async () => {
  await service.destroy()
  await engine.stop()
})

test("ENGINE_URL puts a llama.cpp engine behind the alias, charged by its own tokens", async () => {
  const { data } = (await (await fetch(`${service.url}/v1/models`)).json()) as { data: Record<string, unknown>[] }
  expect(data).toEqual([
    expect.objectContaining({ id: "svc-decider-latest", target_model: DECIDER, max_questions: 16 }),
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

test("a dead engine returns 503 and charges nothing, and works again after its restart", async () => {
  const email = newEmail("engine")
  const { key } = await service.createAccountWithKey(email)
  await engine.stop()
  const failed = await Promise.all(Array.from({ length: 5 }, () => service.decide(key, THREE_QUESTIONS)))
  expect(failed.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
  const { balance_usd } = await service.operator<{ balance_usd: string }>("account", "show", email)
  expect(balance_usd).toBe("11.000000000000")
  engine = await startLlamaCpp({ port: engine.port })
  await expect
    .poll(async () => (await service.decide(key, THREE_QUESTIONS)).status, { timeout: 20_000, intervals: [500] })
    .toBe(200)
  const { held_usd } = await service.operator<{ held_usd: string }>("account", "show", email)
  expect(held_usd).toBe("0.000000000000")
  expect((await service.operator<{ ok: boolean }>("ledger", "verify")).ok).toBe(true)
})

test("SIGTERM lets open requests finish, and a client that disconnects releases its hold", async () => {
  const email = newEmail("engine")
  const { key } = await service.createAccountWithKey(email)
  // Longer than a busy server takes to notice that the client has left.
  engine.fault = { kind: "slow", ms: 5_000 }
  const before = asked()
  const leaving = new AbortController()
  const left = fetch(`${service.url}/v1/decisions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(THREE_QUESTIONS),
    signal: leaving.signal,
  }).catch(() => "left")
  await expect.poll(asked).toBe(before + 1)
  leaving.abort()
  expect(await left).toBe("left")
  await expect.poll(() => engine.aborted).toBe(1)
  engine.fault = { kind: "slow", ms: 1_500 }
  const inFlight = service.decide(key, THREE_QUESTIONS)
  await expect.poll(asked, { intervals: [50] }).toBe(before + 2)
  const stopped = service.end("SIGTERM")
  expect((await inFlight).status).toBe(200)
  expect(await stopped).toBe(0)
  const { held_usd } = await service.operator<{ held_usd: string }>("account", "show", email)
  expect(held_usd).toBe("0.000000000000")
})
