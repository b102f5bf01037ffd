import { expect, it } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testService } from "@/test/service"

it("128 questions reach llama.cpp in 32 calls of its four slots, each question once, and are charged once", async () => {
  const engine = await startLlamaCpp({ noise: 0 })
  const service = await testService({ ENGINE_URL: engine.url })
  const { accountId, token } = await insertPayer()
  const before = engine.requests.length
  const texts = Array.from({ length: 128 }, (_, i) => `Refund ${i}?`)
  const questions = Object.fromEntries(
    texts.map((instructions, i) => [`q.${i}`, { type: "noul", instructions }] as const),
  )
  const response = await fetch(`${service.url}/v1/systemone`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: ALIAS, state: "Refund me.", questions }),
  })
  const { answers } = (await response.json()) as { answers: object }
  expect(Object.keys(answers)).toEqual(Object.keys(questions))
  const calls = engine.requests
    .slice(before)
    .filter(({ path }) => path === "/v1/systemone")
    .map(({ body }) => Object.values(JSON.parse(body).questions as Record<string, { instructions: string }>))
  expect(calls.map((asked) => asked.length)).toEqual(Array(32).fill(4))
  expect(calls.flat().map(({ instructions }) => instructions)).toEqual(texts)
  expect(await moneyOf(accountId)).toMatchObject({ charges: 1, held: 0n })
  await engine.stop()
})
