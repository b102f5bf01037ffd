import type { TestInput } from "@/lib/shared/export-code/export-test"
import { outcomesOf } from "@/questions/question-types"
import { sharedRequestOf } from "../run/shared-request"
import { judgedQuestions, type RunData } from "./judged-questions"

/**
 * Returns what the exported test needs: the answered rows that have labels, with corrections applied, and the accepted or
 * suggested figures. Null when no answered row has a label, or the questions are invalid.
 */
export function testInputOf(data: RunData, baseUrl: string): TestInput | null {
  const { run, asked } = data
  const shared = sharedRequestOf(run.form, run.pinnedId, null)
  const judged = judgedQuestions(data)
  const checks = judged.flatMap(({ question, acceptance }) =>
    acceptance ? [{ ...acceptance, type: question.type }] : [],
  )
  if (!shared || checks.length === 0) return null
  const labelsOf = judged.flatMap(({ acceptance, judged: answered }) =>
    acceptance ? [new Map(answered.map(({ row, label }) => [row, label]))] : [],
  )
  return {
    model: run.form.model,
    pinnedId: run.pinnedId,
    questionsJson: shared.questionsJson,
    outcomes: judged.flatMap(({ question, acceptance }) => (acceptance ? [outcomesOf(question).keys(question)] : [])),
    checks,
    rows: asked.usable.flatMap(({ index, line, state }) => {
      const labels = labelsOf.map((byRow) => byRow.get(index) ?? null)
      return labels.some((label) => label !== null) ? [{ line, state, labels }] : []
    }),
    baseUrl,
  }
}
