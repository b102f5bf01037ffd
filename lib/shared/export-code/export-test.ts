import { TEST_IN_PYTHON, TEST_IN_TYPESCRIPT } from "./test-scripts"

/** The figures of one question below which the exported test fails. Shares are 0 to 1; null checks nothing. */
export interface TestCheck {
  question: string
  type: "noul" | "choice" | "score"
  /** Automatic outside of it (noul), or from a probability of `high` up (other types). */
  band: { low: number; high: number } | null
  minAccuracy: number | null
  maxWrongOfAutomatic: number | null
  minAutomatic: number | null
  /** In levels. */
  maxMeanError: number | null
}

export interface TestRow {
  line: number
  /** JSON source. */
  state: string
  /** Per check: the index of the right outcome, or null. */
  labels: (number | null)[]
}

export interface TestInput {
  /** The alias or id to test. With an alias, the test notices when it moves. */
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

export interface TestFile {
  name: string
  text: string
}

export interface ExportedTest {
  typescript: TestFile
  python: TestFile
  /** What both programs read. It holds the rows, and no key. */
  data: TestFile
}

/** Writes two programs and the rows that they ask about. Each fails when the answers are worse than the accepted figures. */
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
