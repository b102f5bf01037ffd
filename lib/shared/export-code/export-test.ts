import type { QuestionTypeName } from "@/questions/question-types"
import { TEST_IN_PYTHON, TEST_IN_TYPESCRIPT } from "./test-scripts"

/**
 * The limits that the user accepts for one question. Exported code acts on the band. The exported test fails below a `min…` or
 * above a `max…`. Shares are 0 to 1. Null checks nothing.
 */
export interface Acceptance {
  question: string
  /**
   * For yes/no questions: automatic "no" below `low`, automatic "yes" from `high` up. For other types: automatic when the
   * probability of the answer's outcome is `high` or more; `low` is 0. Null: nothing is automatic.
   */
  band: { low: number; high: number } | null
  minAccuracy: number | null
  /** The share of wrong answers among the automatic ones. */
  maxWrongOfAutomatic: number | null
  minAutomatic: number | null
  /** In levels. */
  maxMeanError: number | null
}

interface TestCheck extends Acceptance {
  type: QuestionTypeName
}

export interface TestRow {
  line: number
  /** JSON source. */
  state: string
  /** Per check: the index of the right outcome; null for a row without a label. */
  labels: (number | null)[]
}

export interface TestInput {
  /** The alias or id to test. With an alias, the test warns when it refers to another model. */
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

/** Returns two test programs and their data file. A program fails when answers are worse than the accepted figures. */
export function exportTest({ baseUrl, checks, outcomes, ...input }: TestInput): ExportedTest {
  const data = {
    baseUrl,
    model: input.model,
    pinnedId: input.pinnedId,
    questions: input.questionsJson,
    checks: checks.map((check, at) => ({ ...check, outcomes: outcomes[at] ?? [] })),
    rows: input.rows,
  }
  return {
    typescript: { name: "evaluation.test.ts", text: TEST_IN_TYPESCRIPT },
    python: { name: "evaluation_test.py", text: TEST_IN_PYTHON },
    data: { name: "evaluation.json", text: `${JSON.stringify(data, null, 1)}\n` },
  }
}
