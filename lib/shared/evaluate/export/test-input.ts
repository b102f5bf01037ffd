import type { AcceptedProof, TestClaim, TestInput } from "@/lib/shared/export-code/export-test"
import { outcomesOf } from "@/questions/question-types"
import { splitRows } from "../figures/answered-rows"
import { judgedRows } from "../figures/judged-rows"
import { sharedRequestOf } from "../run/shared-request"
import { type JudgedQuestion, judgedQuestions, type RunData } from "./judged-questions"

/** Returns accepted claims with what it takes to prove them again, as `walkCurve` and `splitAndTest` did. */
function claimsOf({ claims, risk }: Pick<AcceptedProof, "claims" | "risk">, outcomes: number): TestClaim[] {
  return claims.map((claim): TestClaim => {
    const isSide = claim.subject === "yes" || claim.subject === "no"
    if (claim.subject === "option") return { ...claim, level: risk / outcomes, starts: 1 }
    const starts = claim.method === "walk" && !isSide ? 2 : 1
    return { ...claim, level: isSide || starts === 2 ? risk / 2 : risk, starts }
  })
}

/** What one check says of a row. */
interface CheckedRow {
  label: number
  answer: number[]
  checking: number
}

function checkedRows({ asked, results }: RunData, { question, judged }: JudgedQuestion): Map<number, CheckedRow> {
  const uncorrected = judgedRows(asked, results, [], question.name)
  const split = splitRows(uncorrected)
  const checking = new Map(uncorrected.map(({ row }, at) => [row, split[at] ?? 0]))
  return new Map(
    judged.map(({ row, label, probabilities }) => [
      row,
      { label, answer: probabilities, checking: checking.get(row) ?? 0 },
    ]),
  )
}

/**
 * Returns what the exported test needs: the answered rows that have labels, with corrections applied, and the accepted or
 * suggested figures. Null when no answered row has a label, or the questions are invalid.
 */
export function testInputOf(data: RunData, baseUrl: string): TestInput | null {
  const { run, asked } = data
  const shared = sharedRequestOf(run.form, run.pinnedId, null)
  const checks = judgedQuestions(data).flatMap((judged) => {
    const { acceptance, question } = judged
    const none = { claims: [], risk: 0 }
    const outcomes = outcomesOf(question).keys(question)
    return acceptance
      ? [
          {
            check: { ...acceptance, type: question.type, claims: claimsOf(acceptance.proof ?? none, outcomes.length) },
            outcomes,
            rows: checkedRows(data, judged),
          },
        ]
      : []
  })
  if (!shared || checks.length === 0) return null
  return {
    model: run.form.model,
    pinnedId: run.pinnedId,
    questionsJson: shared.questionsJson,
    outcomes: checks.map(({ outcomes }) => outcomes),
    checks: checks.map(({ check }) => check),
    rows: asked.usable.flatMap(({ index, line, state }) => {
      const found = checks.map(({ rows }) => rows.get(index) ?? null)
      if (found.every((row) => row === null)) return []
      return [
        {
          line,
          state,
          labels: found.map((row) => row?.label ?? null),
          answers: found.map((row) => row?.answer ?? null),
          checking: found.map((row) => row?.checking ?? 0),
        },
      ]
    }),
    baseUrl,
  }
}
