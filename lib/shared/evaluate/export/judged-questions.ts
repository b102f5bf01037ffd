import type { Acceptance } from "@/lib/shared/export-code/export-test"
import { type CheckedQuestion, outcomesOf } from "@/questions/question-types"
import type { Answered } from "../figures/evaluation-figures"
import { groupsText, type JudgedRow, judgedGroups, predictedOf } from "../figures/judged-rows"
import type { DataRow, EvaluationSet } from "../rows/evaluation-set"
import type { AskedRows } from "../run/asked-rows"
import type { EvaluationRun, RowResult } from "../run/evaluation-run"
import { meanErrorWithRoom, rowsMark, shareWithRoom } from "./acceptance-of"

/** One question of a run with its answered and labelled rows. */
export interface JudgedQuestion {
  question: CheckedQuestion
  outcomes: string[]
  judged: JudgedRow[]
  /** How many rows count, when not every row does. */
  groups: string | null
  right: number
  /** What the user accepted, else an accuracy that the run meets with room for chance. Null without a row in `judged`. */
  acceptance: Acceptance | null
  /** False while `acceptance` is the suggestion. */
  isAccepted: boolean
}

export interface RunData {
  set: EvaluationSet
  run: EvaluationRun
  rows: DataRow[]
  results: RowResult[]
  /** `rows` as the run asks about them. */
  asked: AskedRows
}

const answeredOf = (names: string[], judged: readonly JudgedRow[]): Answered => ({
  names,
  labels: Uint8Array.from(judged, ({ label }) => label),
  probabilities: judged.map(({ probabilities }) => probabilities),
})

/** Returns the questions of a run in their order. */
export function judgedQuestions({ set, run, results, asked }: RunData): JudgedQuestion[] {
  return asked.questions.map((question): JudgedQuestion => {
    const groups = judgedGroups(asked, results, set.corrections, question.name)
    const { judged } = groups
    const right = judged.filter(
      ({ label, probabilities }) => predictedOf(question.type, probabilities) === label,
    ).length
    const accepted = run.acceptances.find((acceptance) => acceptance.question === question.name)
    const outcomes = outcomesOf(question).names(question)
    const suggested = (): Acceptance => ({
      question: question.name,
      band: null,
      minAccuracy: shareWithRoom(right, judged.length),
      maxWrongOfAutomatic: null,
      minAutomatic: null,
      maxMeanError: meanErrorWithRoom(question, answeredOf(outcomes, judged)),
    })
    const acceptance = judged.length === 0 ? null : (accepted ?? suggested())
    return {
      question,
      outcomes,
      judged,
      groups: groupsText(question.type, groups),
      right,
      acceptance,
      isAccepted: accepted !== undefined,
    }
  })
}

const CHANGED = "The rows or their labels have changed since the rule was accepted."
const UNKNOWN = "The rule was accepted before the page had checked it against the other figures. Accept it again."

/** Returns what keeps the claims of an accepted rule from being confirmed. */
export function doubtsOf({ acceptance, judged }: JudgedQuestion): string[] {
  const proof = acceptance?.proof
  if (!proof) return []
  return [...(proof.mark === rowsMark({ rows: judged }) ? [] : [CHANGED]), ...(proof.doubts ?? [UNKNOWN])]
}
