import { typescriptUnion } from "@/questions/answer-text"
import { TYPE_NAMES } from "@/questions/question-types"
import { TYPESCRIPT_JUDGE } from "./judge-in-typescript"
import { ownReadings, READINGS } from "./test-readings"
import { TYPESCRIPT_CLIENT } from "./typescript-clients"
import { VERIFY_IN_TYPESCRIPT } from "./verify-in-typescript"

/** Writes an early return for each type that has its own expression for a part. */
const typescriptReturns = (): string =>
  ownReadings("probabilities")
    .map(({ name, typescript }) => `  if (type === "${name}") return ${typescript}\n`)
    .join("")

/** Needs Node 22.18 or newer, which runs TypeScript without a compiler. */
export const TEST_IN_TYPESCRIPT = `// Asks the questions about every row of evaluation.json and fails when the answers are worse than the accepted ones.
// Each row is billed. Needs Node 22.18 or newer, no packages. export SVC_API_KEY=svcd_…
// node evaluation.test.ts
// Another model fails. To judge its answers: ALLOW_OTHER_MODEL=1 node evaluation.test.ts
// To check a sign-off record, without any request that is billed: node evaluation.test.ts verify RECORD.json
import { createHash, createPublicKey, verify } from "node:crypto"
import { readFileSync } from "node:fs"

interface Claim {
  subject: string
  option?: string
  target: number
  method: "walk" | "split"
  /** The chance that it is false, for each of the walk's starts. */
  level: number
  starts: number
  automatic: number
  wrong: number
}

interface Check {
  question: string
  type: ${typescriptUnion(TYPE_NAMES)}
  outcomes: string[]
  band: { low: number | null; high: number | null } | null
  options?: [option: string, from: number | null][]
  minAccuracy: number | null
  maxWrongOfAutomatic: number | null
  maxWrongOfYes?: number | null
  maxWrongOfNo?: number | null
  minAutomatic: number | null
  maxMeanError: number | null
  claims: Claim[]
}

/** Per check: the label, the accepted answer, and 1 for a row that checks a rule which other rows chose. */
interface Row {
  line: number
  state: string
  labels: (number | null)[]
  answers: (number[] | null)[]
  checking: number[]
}

interface Data {
  baseUrl: string
  model: string
  pinnedId: string
  questions: string
  checks: Check[]
  rows: Row[]
}

interface Answer {
${READINGS.map(({ member }) => (member ? `  ${member}?: number\n` : "")).join("")}  probabilities?: Record<string, number>
}

export interface Decision {
  model: string
  answers: Record<string, Answer>
}

const DATA: Data = JSON.parse(readFileSync(new URL("evaluation.json", import.meta.url), "utf8"))
const BASE_URL = DATA.baseUrl
const MODEL = DATA.model
const QUESTIONS = DATA.questions
const AT_ONCE = 4
${TYPESCRIPT_CLIENT}
/** Returns one probability per outcome. */
function probabilitiesOf({ question, type, outcomes }: Check, decision: Decision): number[] {
  const answer = decision.answers[question]
${typescriptReturns()}  return outcomes.map((outcome) => answer?.probabilities?.[outcome] ?? Number.NaN)
}
${TYPESCRIPT_JUDGE}${VERIFY_IN_TYPESCRIPT}
async function askAll(): Promise<Decision[]> {
  const decisions: Decision[] = []
  const waiting = DATA.rows.map((_, index) => index)
  const work = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift())
      decisions[index] = await decide(DATA.rows[index]?.state ?? '""')
  }
  // Rows are billed, so none is sent after one has failed.
  await Promise.all(Array.from({ length: AT_ONCE }, work)).finally(() => waiting.splice(0))
  return decisions
}

/** Returns whether the accepted model answered, or another one is allowed. */
function isAcceptedModel(decisions: Decision[]): boolean {
  const others = [...new Set(decisions.map(({ model }) => model))].filter((model) => model !== DATA.pinnedId)
  if (others.length === 0) return true
  const isAllowed = process.env.ALLOW_OTHER_MODEL === "1"
  const advice = isAllowed ? "Set thresholds again." : "Set thresholds again, or set ALLOW_OTHER_MODEL=1 to judge its answers."
  console.log(\`\${isAllowed ? "warn" : "FAIL"} The answers were accepted from \${DATA.pinnedId}, but \${others.join(", ")} answered. \${advice}\`)
  return isAllowed
}

async function test(): Promise<boolean> {
  const decisions = await askAll()
  const answersOf = DATA.checks.map((check) => decisions.map((decision) => probabilitiesOf(check, decision)))
  DATA.checks.forEach((check, at) => listChanges(check, at, answersOf[at] ?? []))
  const isSame = isAcceptedModel(decisions)
  return DATA.checks.map((check, at) => judge(check, at, answersOf[at] ?? [])).every(Boolean) && isSame
}

const [command, file] = process.argv.slice(2)
const done = command === "verify" ? verifyRecord(file ?? "evaluation.signoff.json") : test()
done
  .then((isMet) => {
    if (!isMet) process.exitCode = 1
  })
  .catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
`
