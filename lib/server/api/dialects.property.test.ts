import fc from "fast-check"
import { beforeAll, expect, it } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testScale } from "@/test/scale"
import { testService } from "@/test/service"

const service = await testService()
beforeAll(async () => {
  await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(20_001n) })
  await loadCatalogue(runtime())
})

const text = fc.stringMatching(/^[a-zA-Zé"\\ ]{1,12}$/)
const texts = (maxLength: number) => fc.uniqueArray(text, { minLength: 1, maxLength })
const question = fc.oneof(
  fc.record({ type: fc.constant("noul" as const), ask: text }),
  fc.record({ type: fc.constant("choice" as const), ask: text, offered: texts(5) }),
  fc.record({ type: fc.constant("score" as const), ask: text, offered: texts(5) }),
)
type Question = typeof question extends fc.Arbitrary<infer One> ? One : never
const request = fc.record({ state: text, questions: fc.array(question, { minLength: 1, maxLength: 4 }) })

/** Numbers of an answer: the probability of yes, or confidence, value and probabilities. */
type Numbers = (number | string | boolean)[]

const ours = (one: Question) => {
  if (one.type === "noul") return { type: "noul", instructions: one.ask }
  const { type, ask: instructions, offered } = one
  if (type === "score") return { type, instructions, criteria: offered }
  return { type, instructions, criteria: Object.fromEntries(offered.map((name) => [name, null])) }
}

const openAi = (one: Question) => {
  if (one.type === "noul") return { type: "predicate", instructions: one.ask }
  const { type, ask: instructions, offered } = one
  if (type === "score") return { type, instructions, levels: offered.map((label) => ({ label })) }
  return { type, instructions, choices: offered.map((value) => ({ value })) }
}

interface Named {
  noul?: number
  choice?: string
  score?: number
  confidence?: number
  probabilities?: Record<string, number>
}

function numbersOf(answer: Named, one: Question): Numbers {
  const { noul, choice, score, confidence, probabilities = {} } = answer
  if (one.type === "noul") return [noul ?? ""]
  const keys = one.type === "choice" ? one.offered : one.offered.map((_, i) => String(i))
  return [choice ?? score ?? "", confidence ?? "", ...keys.map((key) => probabilities[key] ?? "")]
}

interface Listed {
  probability?: number
  choice?: string
  score?: number
  confidence?: number
  probabilities?: { probability: number }[]
}

const numbersOfListed = ({ probability, choice, score, confidence, probabilities = [] }: Listed): Numbers =>
  probability === undefined
    ? [choice ?? score ?? "", confidence ?? "", ...probabilities.map((one) => one.probability)]
    : [probability]

it("a request in any dialect has the numbers, the charge and the status of the same in ours", async () => {
  const { accountId, token } = await insertFastKey(1_000_000_000_000_000n)
  const ask = async (path: string, body: object) => {
    const before = (await moneyOf(accountId)).balance
    const response = await fetch(service.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    const { answers } = (await response.json()) as { answers: Record<string, Named> | Listed[] }
    const charged = before - (await moneyOf(accountId)).balance
    return { answers, charged, status: response.status }
  }
  const runs = { numRuns: 40 * testScale }
  await fc.assert(
    fc.asyncProperty(request, async ({ state, questions }) => {
      const named = { state, questions: Object.fromEntries(questions.map((one, i) => [`q${i}`, ours(one)])) }
      const listed = { model: "gpt-6-luna", input: state, questions: questions.map(openAi) }
      const seen = []
      for (const [path, body] of [
        ["/v1/decisions", { model: ALIAS, ...named }],
        ["/v1/systemone", { model: "jev-latest", ...named }],
        ["/api/v1/systemone", { model: "typesafe/jev-latest", ...named }],
        ["/openai/v1/decisions", listed],
      ] as const) {
        const { answers, charged, status } = await ask(path, body)
        const numbers = questions.map((one, i) =>
          Array.isArray(answers) ? numbersOfListed(answers[i] ?? {}) : numbersOf(answers[`q${i}`] ?? {}, one),
        )
        seen.push({ status, charged, numbers })
      }
      expect(seen[0]?.status).toBe(200)
      expect(seen[0]?.charged).toBeGreaterThan(0n)
      for (const other of seen.slice(1)) expect(other).toEqual(seen[0])
    }),
    runs,
  )
})
