import { beforeEach, expect, test } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { BUILT_IN_ANSWERS } from "@/lib/shared/request-form/recorded-answers"
import { testService } from "@/test/service"
import { readRecordedAnswers } from "./read-recorded"
import { recordExamples } from "./record-examples"

const ALIAS = "svc-decider-latest"

await testService()
beforeEach(async () => {
  await runtime().pool.query("DELETE FROM example_recording")
})

const rows = async () => (await runtime().pool.query("SELECT FROM example_recording")).rowCount

test("the answers of the alias's model are shown once they were recorded, with their day", async () => {
  expect(await readRecordedAnswers(runtime())).toEqual(BUILT_IN_ANSWERS)
  const recorded = { id: "svc-lexical-baseline-1", examples: 5, tokens: 1070 }
  expect(await recordExamples(runtime(), OPERATOR, { id: ALIAS })).toEqual(recorded)
  await runtime().pool.query("UPDATE example_recording SET recorded_at = '2026-11-20T23:59:00Z'")
  const { model, bodies } = BUILT_IN_ANSWERS
  expect(await readRecordedAnswers(runtime())).toEqual({ model, day: "2026-11-20", bodies })
})

test("a second recording replaces the first one", async () => {
  await recordExamples(runtime(), OPERATOR, { id: ALIAS })
  await runtime().pool.query("UPDATE example_recording SET recorded_at = '2026-11-20T00:00:00Z'")
  await recordExamples(runtime(), OPERATOR, { id: ALIAS })
  expect(await rows()).toBe(5)
  expect((await readRecordedAnswers(runtime())).day).not.toBe("2026-11-20")
})

test("an example that was changed since hides the recording", async () => {
  await recordExamples(runtime(), OPERATOR, { id: ALIAS })
  await runtime().pool.query(
    "UPDATE example_recording SET request_sha256 = sha256('other'), recorded_at = '2026-11-20T00:00:00Z' WHERE example_id = 'invoice'",
  )
  expect(await readRecordedAnswers(runtime())).toEqual(BUILT_IN_ANSWERS)
})

test("a recording charges nobody, and one that fails stores nothing", async () => {
  await recordExamples(runtime(), OPERATOR, { id: ALIAS })
  expect((await runtime().pool.query("SELECT FROM ledger_entry")).rowCount).toBe(0)
  await runtime().pool.query("DELETE FROM example_recording")
  await expect(recordExamples(runtime(), OPERATOR, { id: "svc-none-1" })).rejects.toMatchObject({
    code: "invalid_model",
  })
  expect(await rows()).toBe(0)
})
