import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { Monitor } from "@/lib/server/engines/monitor"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { addModel } from "@/lib/server/models/add-model"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { noul } from "@/test/checked-request"
import { expectDescribed } from "@/test/contract"
import { startVllm } from "@/test/doubles/vllm"
import { freePort } from "@/test/free-port"
import { insertKey, insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { exactAnswer } from "@/test/open-labels"
import { testService } from "@/test/service"
import type { DecisionResponse } from "./openapi/decision-response"

const MODEL = "svc-labels-1"
const PRICE = 20_000n
const STATE = "I was charged twice."
const QUESTION = { type: "noul", instructions: "Is it angry?" }
const BODY = { model: MODEL, state: STATE, questions: { angry: QUESTION } }

const service = await testService()
// It is restarted on its port, which no other process may take meanwhile.
let engine = await startVllm({ port: await freePort() })
const model = { id: MODEL, engineUrl: engine.url, engineModel: "qwen-toy", pricePico: pico(PRICE) }
await addModel(runtime(), OPERATOR, { ...model, tokenizerFolder: null, engine: "labels", bothOrders: false })
await untilAvailable()
afterEach(async () => {
  expect((await verifyLedger(runtime())).checks.filter(({ ok }) => !ok)).toEqual([])
})

/** Reads the catalogue, as the server does each second, and probes the engine until the model can be called. */
async function untilAvailable(): Promise<void> {
  const found = async () => {
    await loadCatalogue(runtime())
    const { available, reason } = await runtime().engines.probeNow(MODEL)
    return available && runtime().catalogue.find(MODEL)?.tokenizer ? "available" : reason
  }
  await vi.waitFor(async () => expect(await found()).toBe("available"), { timeout: 30_000 })
}

/** The reads of clients' questions. The probe of every 15 s names no cache. */
const clientReads = () => engine.reads().filter(({ cache_salt: salt }) => salt !== undefined)

describe("a decision on an ordinary model behind vLLM", () => {
  it("is answered exactly, and charged by the tokens of its texts", async () => {
    const { accountId, token } = await insertPayer()
    const before = (await moneyOf(accountId)).balance
    const response = await service.decide(token, BODY)
    const { answers, usage, model } = (await expectDescribed(response, "/v1/decisions")) as DecisionResponse
    expect(response.status).toBe(200)
    expect(model).toBe(MODEL)
    const [exact = 0] = exactAnswer(STATE, noul("angry", QUESTION.instructions), ["A", "B"])
    expect(answers.angry?.type === "noul" && Math.abs(answers.angry.noul - exact)).toBeLessThanOrEqual(1e-12)
    // 20 characters of state and 12 of instructions, each one token of the double. The prompt is not billed.
    expect(usage).toEqual({ input_tokens: 32, output_tokens: 1 })
    expect(await moneyOf(accountId)).toMatchObject({ balance: before - 32n * PRICE, held: 0n })
  })

  it("shares the engine's prefix cache within an account only, under a value that does not name the account", async () => {
    const [one, other] = [await insertPayer(), await insertPayer()]
    const saltOf = async (token: string) => {
      const before = clientReads().length
      expect((await service.decide(token, BODY)).status).toBe(200)
      return clientReads().slice(before).at(-1)?.cache_salt
    }
    const salt = await saltOf(one.token)
    expect(salt).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(await saltOf((await insertKey(one.accountId)).token)).toBe(salt)
    expect(await saltOf(other.token)).not.toBe(salt)
    const sent = engine.requests.map(({ body }) => body).join()
    for (const { accountId, token } of [one, other]) {
      expect(sent).not.toContain(accountId)
      expect(sent).not.toContain(token)
    }
  })

  it("shows that the engine responds only if an answer needed a call", async () => {
    const { token } = await insertPayer()
    const answered = vi.spyOn(Monitor.prototype, "answered")
    onTestFinished(() => answered.mockRestore())
    const certain = { type: "choice", instructions: "Which?", criteria: { only: null } }
    const callsFor = async (questions: object) => {
      const before = clientReads().length
      expect((await service.decide(token, { ...BODY, questions })).status).toBe(200)
      return [clientReads().length - before, answered.mock.calls.length]
    }
    expect(await callsFor({ certain })).toEqual([0, 0])
    expect(await callsFor({ certain, angry: QUESTION })).toEqual([1, 1])
  })

  it("is refused and not charged when it is too long, or when the engine fails", async () => {
    const { accountId, token } = await insertPayer()
    const before = (await moneyOf(accountId)).balance
    const codeOf = async (body: unknown) => {
      const response = await service.decide(token, body)
      const { error } = (await expectDescribed(response, "/v1/decisions")) as { error: Record<string, unknown> }
      return [response.status, error.code, error.param]
    }
    expect(await codeOf({ ...BODY, state: "x".repeat(40_000) })).toEqual([400, "invalid_request", undefined])
    const faults = [
      [{ kind: "status", status: 500, body: "{}" }, 502, "upstream_error"],
      [{ kind: "status", status: 429, body: "{}", headers: { "retry-after": "2" } }, 429, "capacity_exceeded"],
      [{ kind: "status", status: 503, body: "{}" }, 503, "model_unavailable"],
      [{ kind: "edited", edit: () => ({ choices: [] }) }, 502, "upstream_error"],
    ] as const
    for (const [fault, status, code] of faults) {
      engine.fault = fault
      expect(await codeOf(BODY)).toEqual([status, code, undefined])
      engine.fault = null
      // An answer that cannot be used starts a probe, which may have seen the fault.
      await expect.poll(async () => (await runtime().engines.probeNow(MODEL)).available).toBe(true)
    }
    expect((await service.decide(token, BODY)).status).toBe(200)
    // Five requests within a second may have opened a grant, which is held until it ends.
    await expect.poll(() => moneyOf(accountId)).toMatchObject({ balance: before - 32n * PRICE, held: 0n })
  })

  it("gets 503 while the engine is stopped or serves other weights, and the same answer after it is back", async () => {
    const { token } = await insertPayer()
    const answer = async () => {
      const response = await service.decide(token, BODY)
      return response.status === 200 ? await response.text() : response.status
    }
    const first = await answer()
    const { port } = engine
    await engine.stop()
    expect(await answer()).toBe(503)
    await runtime().engines.probeNow(MODEL)
    await runtime().engines.probeNow(MODEL)
    engine = await startVllm({ port, root: "org/other-weights" })
    expect((await runtime().engines.probeNow(MODEL)).reason).toMatch(
      /^The engine runs build vLLM .+ but this model is pinned/,
    )
    expect(await answer()).toBe(503)
    engine.settings.root = "org/qwen-toy"
    await untilAvailable()
    expect(await answer()).toBe(first)
  })
})
