import type { OptionFloor } from "@/lib/shared/runs/thresholds"
import type { QuestionTypeName } from "@/questions/question-types"
import { TEST_IN_PYTHON } from "./test-in-python"
import { TEST_IN_TYPESCRIPT } from "./test-in-typescript"

/**
 * The limits that the user accepts for one question. Exported code acts on the band. The exported test fails below a `min…` or
 * above a `max…`. Shares are 0 to 1. Null checks nothing.
 */
export interface Acceptance {
  question: string
  /**
   * For yes/no questions: automatic "no" below `low`, automatic "yes" from `high` up. For a choice: automatic when the probability
   * of the answer's option is `high` or more. For a score: when its level and those next to it have this probability together. Null:
   * nothing is automatic, or never this action.
   */
  band: { low: number | null; high: number | null } | null
  /** For a choice: automatic when the probability of the answer's option is at least that of the option. It replaces the band. */
  options?: OptionFloor[] | undefined
  minAccuracy: number | null
  /** The share of wrong answers among the automatic ones. A score is wrong when it is more than one level off. */
  maxWrongOfAutomatic: number | null
  /** The share of wrong ones among automatic yes, and among automatic no. Absent from earlier versions. */
  maxWrongOfYes?: number | null | undefined
  maxWrongOfNo?: number | null | undefined
  /** The share of wrong ones among the automatic answers of each option. */
  maxWrongOfOption?: number | null | undefined
  minAutomatic: number | null
  /** In levels. */
  maxMeanError: number | null
  /** What showed the limits. Absent from suggestions and earlier versions. */
  proof?: AcceptedProof | undefined
}

/** The evidence that the user accepted. */
export interface AcceptedProof {
  /** ISO 8601. */
  acceptedAt: string
  /** Stands for the rows and labels that counted (`rowsMark`). */
  mark: string
  /** The labelled answers. */
  rows: number
  /** The chance that one of the claims is false. */
  risk: number
  /** Drew the halves of a rule that half of the rows chose. */
  seed: number
  /** Empty for a rule that costs chose. */
  claims: AcceptedClaim[]
  /** What kept a claim from being confirmed. Absent while the page did not know it yet, and from earlier versions. */
  doubts?: string[] | undefined
}

export interface AcceptedClaim {
  /** The answers that it is about: automatic yes, automatic no, all automatic answers, those of one option, or scores within one level. */
  subject: "yes" | "no" | "all" | "option" | "within"
  /** The option that it is about. */
  option?: string | undefined
  target: number
  /** `walk`: all rows prove it. `split`: one half chose the threshold, and the other half proves it. */
  method: "walk" | "split"
  /** The rows that prove it and are automatic, and the wrong ones of these. */
  automatic: number
  wrong: number
}

/** A claim with what it takes to prove it again. */
export interface TestClaim extends AcceptedClaim {
  /** The chance that it is false, for each of the walk's starts. */
  level: number
  /** From how many places a walk starts: at the surest rows, and at half of the rows. */
  starts: 1 | 2
}

export interface TestCheck extends Acceptance {
  type: QuestionTypeName
  claims: TestClaim[]
}

export interface TestRow {
  line: number
  /** JSON source. */
  state: string
  /** Per check: the index of the right outcome; null for a row without a label. */
  labels: (number | null)[]
  /** Per check: one probability per outcome, as accepted; null for a row without a label. */
  answers: (number[] | null)[]
  /** Per check: 1 for a row that checks a rule which the other half chose. */
  checking: number[]
}

export interface TestInput {
  /** The alias or id to test. With an alias, the test fails when it refers to another model. */
  model: string
  /** The model that the figures were accepted for. */
  pinnedId: string
  /** JSON source. */
  questionsJson: string
  /** Per check: the keys of the answer's probabilities, in order. */
  outcomes: string[][]
  checks: TestCheck[]
  rows: TestRow[]
  /** Without a trailing slash. */
  baseUrl: string
}

interface TestFile {
  name: string
  text: string
}

export interface ExportedTest {
  typescript: TestFile
  python: TestFile
  /** The data file that both programs read. It has the rows and no API key. */
  data: TestFile
}

/**
 * Returns two test programs and their data file. A program fails when answers are worse than the accepted ones. With `verify`, it checks
 * a sign-off record (`signOffRecord`) against the data file.
 */
export function exportTest({ baseUrl, checks, outcomes, ...input }: TestInput): ExportedTest {
  const data = {
    baseUrl,
    model: input.model,
    pinnedId: input.pinnedId,
    questions: input.questionsJson,
    checks: checks.map(({ proof: _, ...check }, at) => ({ ...check, outcomes: outcomes[at] ?? [] })),
    rows: input.rows,
  }
  return {
    typescript: { name: "evaluation.test.ts", text: TEST_IN_TYPESCRIPT },
    python: { name: "evaluation_test.py", text: TEST_IN_PYTHON },
    data: { name: "evaluation.json", text: `${JSON.stringify(data, null, 1)}\n` },
  }
}
