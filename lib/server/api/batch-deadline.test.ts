import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testService } from "@/test/service"
import { ANSWER_MS, DEADLINES, holdLimits, runOut } from "@/test/time-limits"

const llama = await startLlamaCpp({ slots: 4 })
const service = await testService({ ENGINE_URL: llama.url }, { deadlines: DEADLINES })
beforeEach(() => holdLimits())
afterEach(async () => {
  llama.fault = null
  vi.restoreAllMocks()
})

const BODY = JSON.stringify({
  model: ALIAS,
  states: Array.from({ length: 8 }, (_, i) => `State ${i}`),
  questions: { q: { type: "noul", instructions: "Is it?" } },
})

/** Sends eight states, of which the engine answers some. Lets the time for an answer run out when it holds back three others. */
async function sendBeyondDeadline(answered: number) {
  const { accountId, token } = await insertFastKey()
  let left = answered
  llama.fault = {
    kind: "held",
    get until() {
      return left-- > 0 ? Promise.resolve() : new Promise<void>(() => {})
    },
  }
  const sent = fetch(`${service.url}/v1/systemone/batch`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: BODY,
  })
  await expect.poll(async () => (await moneyOf(accountId)).charges).toBe(answered)
  await expect.poll(() => llama.working).toBe(3)
  await runOut(ANSWER_MS)
  const response = await sent
  type Result = { error?: { code: string } }
  const { results = [], error } = (await response.json()) as Result & { results?: Result[] }
  await expect.poll(async () => (await moneyOf(accountId)).held).toBe(0n)
  return {
    status: response.status,
    code: error?.code,
    words: results.map((result) => result.error?.code ?? "ok").toSorted(),
    charges: (await moneyOf(accountId)).charges,
  }
}

it("at its deadline, a batch responds with the states that were answered, and charges no other", async () => {
  expect(await sendBeyondDeadline(2)).toEqual({
    status: 200,
    code: undefined,
    words: ["ok", "ok", ...Array(6).fill("upstream_timeout")],
    charges: 2,
  })
})

it("at its deadline, a batch without an answer is refused, and nothing is charged", async () => {
  expect(await sendBeyondDeadline(0)).toEqual({ status: 504, code: "upstream_timeout", words: [], charges: 0 })
})
