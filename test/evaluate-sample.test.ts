import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { LexicalEngine } from "@/lib/server/engines/lexical/lexical-engine"
import { correctRows, splitRows } from "@/lib/shared/evaluate/figures/answered-rows"
import { automatableBand } from "@/lib/shared/evaluate/figures/automate-yes-no"
import { claimText, FIRST_GOAL, searchReachableGoal } from "@/lib/shared/evaluate/figures/automation"
import type { JudgedRow } from "@/lib/shared/evaluate/figures/judged-rows"
import { newSet } from "@/lib/shared/evaluate/rows/new-set"
import { questionsOf, readRows } from "@/lib/shared/evaluate/rows/read-rows"
import { readTable } from "@/lib/shared/evaluate/rows/read-table"
import { SAMPLE_RESULT } from "@/lib/shared/evaluate/sample-result"
import { exampleForm } from "@/lib/shared/request-form/examples"
import { numbersOf } from "@/questions/question-types"
import { jsonText } from "@/test/checked-request"
import { lastOf } from "@/test/last-of"

/** Returns the sample's rows with the built-in engine's answers to the first question, which is a yes/no question. */
async function judgedSample(): Promise<JudgedRow[]> {
  const table = await readTable(new Blob([await readFile("public/samples/support-tickets.csv")]), "support-tickets.csv")
  const form = exampleForm("svc-lexical-baseline-1")
  const questions = questionsOf(form)
  const { usable } = readRows(newSet("acc", table, "support-tickets.csv", form), table.rows, questions)
  const engine = new LexicalEngine()
  const judged = usable.map(async ({ index, line, state, labels }): Promise<JudgedRow> => {
    const request = { model: form.model, state: jsonText(JSON.parse(state)), questions: questions.slice(0, 1) }
    const [raw] = await engine.answer(request, new AbortController().signal)
    const [yes = Number.NaN] = raw ? numbersOf(raw) : []
    const label = labels[0] ?? Number.NaN
    return { row: index, line, state, label, isCorrected: false, probabilities: [1 - yes, yes] }
  })
  return Promise.all(judged)
}

test("the sample's 1,000 rows reach no threshold for the first target, and for a higher target those that the page shows", async () => {
  const rows = await judgedSample()
  expect(rows).toHaveLength(1_000)
  const answered = correctRows(["no", "yes"], rows, splitRows(rows), new Map())
  const automatable = automatableBand(answered)
  const claims = (yes: number, no: number) =>
    automatable.find({ ...FIRST_GOAL, kind: "sides", targets: { yes, no } }).automation?.claims.map(claimText) ?? []
  const { automation } = automatable.find({ ...FIRST_GOAL, kind: "sides", targets: { yes: 0.035, no: 0.06 } })
  expect(SAMPLE_RESULT).toEqual({
    model: "svc-lexical-baseline-1",
    day: "2026-11-28",
    question: exampleForm("m").questions[0]?.instructions.text,
    rows: rows.length,
    right: rows.filter(({ label, probabilities: [, yes = 0] }) => yes >= 0.5 === (label === 1)).length,
    rule: automation?.rule,
    automatic: automation?.counts.automatic,
    wrong: automation?.counts.wrong,
    claims: claims(0.035, 0.06),
  })
  expect(claims(0.02, 0.02)).toEqual([])
  expect(lastOf(searchReachableGoal(automatable, { ...FIRST_GOAL, kind: "sides" }))?.targets).toEqual({
    yes: 0.035,
    no: 0.06,
  })
})
