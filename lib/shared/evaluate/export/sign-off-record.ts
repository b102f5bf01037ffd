import type { TestCheck, TestClaim, TestInput } from "@/lib/shared/export-code/export-test"
import { RISK } from "@/lib/shared/statistics/binomial"
import type { QuestionTypeName } from "@/questions/question-types"
import { SPLIT_SEED } from "../figures/answered-rows"
import { acceptedEffect } from "../figures/comparison"
import { type CorrectionCounts, countCorrections } from "../figures/correction-counts"
import { correctedLabels } from "../figures/corrections"
import { judgedRows } from "../figures/judged-rows"
import { GROUP_SEED } from "../rows/group-rows"
import { type Exclusion, exclusionsOf } from "./exclusions"
import { hashOf, hashOfList } from "./hash"
import { doubtsOf, type JudgedQuestion, judgedQuestions, type RunData } from "./judged-questions"
import type { Limits } from "./limit-texts"
import { recheckClaim } from "./recheck-claim"
import { testInputOf } from "./test-input"

/** What a person signs off: what was claimed of which model, from which rows. Everything in it can be computed again. */
export interface SignOffRecord {
  format: "decision-service sign-off record"
  version: 1
  /** ISO 8601. */
  madeAt: string
  /** The e-mail address of who made it. */
  person: string
  account: string
  set: { name: string; source: string; rows: number }
  run: { startedAt: string; answered: number; failed: number }
  model: { name: string; pinnedId: string }
  /** `risk` is δ: the chance that one of a question's claims is false. */
  method: { name: "Learn then Test by rank"; version: 1; risk: number; seeds: { groups: number; halves: number } }
  questions: RecordedQuestion[]
  /** SHA-256 of canonical JSON (RFC 8785). */
  hashes: { rows: string; answers: string; questions: string }
}

export interface RecordedQuestion {
  name: string
  type: QuestionTypeName
  /** The question as the API got it. */
  question: unknown
  outcomes: string[]
  /** The labelled answers that count. */
  rows: number
  groups: string | null
  excluded: Exclusion[]
  corrections: CorrectionCounts
  /** ISO 8601. Null for a question without an accepted rule. */
  acceptedAt: string | null
  rule: TestCheck["band"]
  /** Replaces the rule for a choice: each option with the probability from which on it is automatic, or null. */
  options?: TestCheck["options"]
  automatic: number
  wrong: number
  limits: Limits
  claims: (TestClaim & { verdict: "confirmed" | "not confirmed" })[]
  /** Why no claim is confirmed. */
  doubts: string[]
}

/** Returns the answers of one check with their labels. */
function answeredOf(input: TestInput, at: number) {
  const rows = input.rows.filter(({ labels }) => (labels[at] ?? null) !== null)
  return {
    names: input.outcomes[at] ?? [],
    labels: Uint8Array.from(rows, ({ labels }) => labels[at] ?? 0),
    probabilities: rows.map(({ answers }) => answers[at] ?? []),
    isCheck: Uint8Array.from(rows, ({ checking }) => checking[at] ?? 0),
  }
}

function recorded(data: RunData, judged: JudgedQuestion, input: TestInput, at: number): RecordedQuestion[] {
  const check = input.checks[at]
  if (!check) return []
  const { question, outcomes } = judged
  const { name, type } = question
  const { band, options, proof, minAccuracy, maxWrongOfAutomatic, minAutomatic, maxMeanError } = check
  const answered = answeredOf(input, at)
  const doubts = doubtsOf(judged)
  const claims = check.claims.map((claim) => {
    const { isShown, ...counts } = recheckClaim(type, answered, check, claim)
    const isConfirmed = isShown && doubts.length === 0
    return { ...claim, ...counts, verdict: isConfirmed ? ("confirmed" as const) : ("not confirmed" as const) }
  })
  const summed = (of: "automatic" | "wrong") => claims.reduce((sum, claim) => sum + claim[of], 0)
  const optionsEffect = options && { automatic: summed("automatic"), wrong: summed("wrong") }
  const effect = optionsEffect ?? (band && acceptedEffect(type, answered, band))
  const uncorrected = judgedRows(data.asked, data.results, [], name)
  return [
    {
      name,
      type,
      question: (JSON.parse(input.questionsJson) as Record<string, unknown>)[name],
      outcomes,
      rows: answered.labels.length,
      groups: judged.groups,
      excluded: exclusionsOf(data, judged),
      corrections: countCorrections(type, uncorrected, correctedLabels(data.set.corrections, name, outcomes)),
      acceptedAt: proof?.acceptedAt ?? null,
      rule: band,
      ...(options && { options }),
      automatic: effect?.automatic ?? 0,
      wrong: effect?.wrong ?? 0,
      limits: { minAccuracy, maxWrongOfAutomatic, minAutomatic, maxMeanError },
      claims,
      doubts,
    },
  ]
}

/**
 * Makes the record of a run. `madeAt` is ISO 8601, and `person` an e-mail address. Null when no answered row has a label. Throws for a
 * text that is no valid Unicode, which has no canonical form.
 */
export function signOffRecord(
  data: RunData,
  { madeAt, person }: Pick<SignOffRecord, "madeAt" | "person">,
): SignOffRecord | null {
  const { set, run } = data
  const input = testInputOf(data, "")
  if (!input) return null
  const judged = judgedQuestions(data).filter(({ acceptance }) => acceptance !== null)
  return {
    format: "decision-service sign-off record",
    version: 1,
    madeAt,
    person,
    account: run.accountId,
    set: { name: set.name, source: set.source.name, rows: set.rowCount },
    run: { startedAt: run.startedAt, answered: run.totals.answered, failed: run.totals.failed },
    model: { name: run.form.model, pinnedId: run.pinnedId },
    method: {
      name: "Learn then Test by rank",
      version: 1,
      risk: RISK,
      seeds: { groups: GROUP_SEED, halves: SPLIT_SEED },
    },
    questions: judged.flatMap((each, at) => recorded(data, each, input, at)),
    hashes: {
      rows: hashOfList(input.rows.map(({ answers: _, ...row }) => row)),
      answers: hashOfList(input.rows.map(({ answers }) => answers)),
      questions: hashOf(JSON.parse(input.questionsJson)),
    },
  }
}
