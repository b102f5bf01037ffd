import { afterAll, expect, it } from "vitest"
import { openAiParts } from "@/lib/shared/export-code/openai-request"
import { readParts } from "@/lib/shared/export-code/request-parts"
import { ASKED, BIG, CASCADE_PRICE, newCascade, SMALL, startParts } from "@/test/cascade"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testService } from "@/test/service"

const QUESTIONS = {
  angry: { type: "noul", instructions: `${ASKED} angry?` },
  single: { type: "choice", instructions: `${ASKED} only?`, criteria: { one: null } },
  topic: { type: "choice", instructions: `${ASKED} topic?`, criteria: { bill: null, parcel: null, other: null } },
  level: { type: "score", instructions: `${ASKED} how?`, criteria: ["calm", "cross", "angry"] },
}
const STATE = "My parcel is broken."

const service = await testService()
const { small, big } = await startParts()
/** Sends every question on whose answer is not certain. */
const ALL = await newCascade("svc-all-1", 1)
afterAll(() => Promise.all([small.stop(), big.stop()]))

interface Body {
  answers: Record<string, unknown> | { name: string }[]
  usage: { input_tokens: number }
}

async function ask<Of>(token: string, path: string, body: object): Promise<Of> {
  const response = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Of
}

const LISTED = (() => {
  const parts = readParts(JSON.stringify({ model: ALL, state: STATE, questions: QUESTIONS }))
  if (!parts) throw new Error("the request is not valid")
  const { stateJson, questionsJson } = openAiParts(parts)
  return { input: JSON.parse(stateJson), questions: JSON.parse(questionsJson) }
})()
const NAMED = { state: STATE, questions: QUESTIONS }
const FORMS: Record<string, object> = {
  "/v1/decisions": NAMED,
  "/v1/systemone": NAMED,
  "/api/v1/systemone": NAMED,
  "/openai/v1/decisions": LISTED,
}

it.each(Object.entries(FORMS))(
  "a cascade answers each question at %s like the part that answers it there",
  async (path, form) => {
    const payer = await insertFastKey()
    const answersOf = async (model: string): Promise<Record<string, unknown>> => {
      const { answers } = await ask<Body>(payer.token, path, { model, ...form })
      return Array.isArray(answers) ? Object.fromEntries(answers.map((each) => [each.name, each])) : answers
    }
    const [bySmall, byBig, byCascade] = [await answersOf(SMALL), await answersOf(BIG), await answersOf(ALL)]
    expect(Object.keys(byCascade).toSorted()).toEqual(["angry", "level", "single", "topic"])
    expect(byCascade).toEqual({ ...byBig, single: bySmall.single })
    expect(byCascade).not.toEqual(bySmall)
    expect(await moneyOf(payer.accountId)).toMatchObject({ charges: 3, held: 0n })
  },
)

it("a cascade answers each state of a batch like the parts, and charges each once", async () => {
  const payer = await insertFastKey()
  const states = [STATE, "All is well.", { text: "Where is it?" }]
  const batchOf = async (model: string) => {
    const body = { model, questions: QUESTIONS, states }
    return (await ask<{ results: Body[] }>(payer.token, "/v1/systemone/batch", body)).results
  }
  const [bySmall, byBig] = [await batchOf(SMALL), await batchOf(BIG)]
  const before = await moneyOf(payer.accountId)
  const byCascade = await batchOf(ALL)
  const singles = bySmall.map(({ answers }) => ({ single: (answers as Record<string, unknown>).single }))
  expect(byCascade.map(({ answers }) => answers)).toEqual(
    byBig.map(({ answers }, at) => ({ ...answers, ...singles[at] })),
  )
  const after = await moneyOf(payer.accountId)
  const tokensOf = (results: Body[]) => results.reduce((sum, { usage }) => sum + usage.input_tokens, 0)
  expect(tokensOf(byCascade)).toBe(tokensOf(bySmall))
  expect(before.balance - after.balance).toBe(CASCADE_PRICE * BigInt(tokensOf(byCascade)))
  expect([after.charges - before.charges, after.held]).toEqual([states.length, 0n])
})
