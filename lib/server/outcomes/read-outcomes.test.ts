import { expect, test } from "vitest"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { rollUpNewUsage } from "@/lib/server/usage/roll-up-usage"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { chargeTenant, createTenant } from "@/test/tenant"
import { listOutcomeQuestions, readOutcomes } from "./read-outcomes"

const { pool } = await testRuntime()
const range = { from: "2026-11-18", to: "2026-11-20" }

interface Stored {
  question?: string
  type?: string
  model?: string
  predicted?: number
  score?: number
  outcome?: number
  at?: string
}

let stored = 0
/** Inserts an outcome, stored a second after the one before. */
const insert = ({ accountId }: UserActor, { question = "late", type = "noul", model = "m", ...given }: Stored) =>
  pool.query(
    `INSERT INTO outcome (account_id, request_id, question, type, model_id, predicted, score, outcome, known_at, stored_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '2026-11-21T00:00:00Z'::timestamptz + $10 * interval '1 second')`,
    [
      ...[accountId, newId(), question, type, model, given.predicted ?? 0.5, given.score ?? null, given.outcome ?? 1],
      ...[given.at ?? "2026-11-19T12:00:00Z", stored++],
    ],
  )

test("questions are listed by type and model, of the account and the range, with most outcomes first", async () => {
  const [actor, other] = [await signUp(), await signUp()]
  for (const model of ["m", "m", "older"]) await insert(actor, { model })
  await insert(actor, { question: "topic", type: "choice" })
  await insert(actor, { at: "2026-11-17T23:59:59Z" })
  await insert(actor, { at: "2026-11-21T00:00:00Z" })
  await insert(other, { question: "theirs" })
  expect(await listOutcomeQuestions(runtime(), actor, { range })).toEqual([
    { question: "late", type: "noul", model: "m", outcomes: 2 },
    { question: "late", type: "noul", model: "older", outcomes: 1 },
    { question: "topic", type: "choice", model: "m", outcomes: 1 },
  ])
})

test("outcomes are read in the order in which they were stored, whenever they became known", async () => {
  const actor = await signUp()
  await insert(actor, { predicted: 0.75, at: "2026-11-20T23:59:59Z" })
  await insert(actor, { predicted: 0.25, outcome: 0, at: "2026-11-18T00:00:00Z" })
  await insert(actor, { predicted: 0.1, model: "older" })
  expect(await readOutcomes(runtime(), actor, { range, question: "late", type: "noul", model: "m" })).toEqual({
    outcomes: [
      { predicted: 0.75, happened: true, atMs: Date.parse("2026-11-20T23:59:59Z"), sampledShare: null },
      { predicted: 0.25, happened: false, atMs: Date.parse("2026-11-18T00:00:00Z"), sampledShare: null },
    ],
    isCut: false,
    answers: 0,
  })
})

test.each([
  { score: 1.4, outcome: 2, expected: true },
  { score: 1.4, outcome: 0, expected: true },
  { score: 1.4, outcome: 3, expected: false },
  { score: 2.6, outcome: 4, expected: true },
  { score: 2.6, outcome: 1, expected: false },
])("a score of $score and the level $outcome: within one is $expected", async ({ score, outcome, expected }) => {
  const actor = await signUp()
  await insert(actor, { type: "score", score, outcome })
  const { outcomes } = await readOutcomes(runtime(), actor, { range, question: "late", type: "score", model: "m" })
  expect(outcomes.map(({ happened }) => happened)).toEqual([expected])
})

test("the answers are those of the type by the model in the range, whatever the question", async () => {
  const tenant = await createTenant(["A"])
  const [key] = tenant.keys
  await chargeTenant(tenant, key, { tokens: 1, counts: { noul: 2, choice: 1 } })
  await chargeTenant(tenant, key, { tokens: 1, counts: { noul: 3 } })
  await rollUpNewUsage(runtime())
  const read = (type: "noul" | "choice", model: string) =>
    readOutcomes(runtime(), tenant.actor, { range: { days: 2 }, question: "late", type, model })
  expect((await read("noul", "usage-test-1")).answers).toBe(5)
  expect((await read("choice", "usage-test-1")).answers).toBe(1)
  expect((await read("noul", "other")).answers).toBe(0)
})
