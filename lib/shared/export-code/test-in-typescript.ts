import { typescriptUnion } from "@/questions/answer-text"
import { TYPE_NAMES } from "@/questions/question-types"
import { BAND_TYPES, ownReadings, READINGS, SLACK_TYPES } from "./test-readings"
import { TYPESCRIPT_CLIENT } from "./typescript"

/** Writes an early return for each type that has its own expression for this part. */
const typescriptReturns = (part: Parameters<typeof ownReadings>[0], type: string): string =>
  ownReadings(part)
    .map(({ name, typescript }) => `  if (${type} === "${name}") return ${typescript}\n`)
    .join("")

/** Needs Node 22.18 or newer, which runs TypeScript without a compiler. */
export const TEST_IN_TYPESCRIPT = `// Asks the questions about every row of evaluation.json and fails when the answers are worse than the accepted figures.
// Each row is billed. Needs Node 22.18 or newer, no packages. export SVC_API_KEY=svcd_…
// node evaluation.test.ts
import { readFileSync } from "node:fs"

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
  maxWrongOfOption?: number | null
  minAutomatic: number | null
  maxMeanError: number | null
}

interface Data {
  baseUrl: string
  model: string
  pinnedId: string
  questions: string
  checks: Check[]
  rows: { line: number; state: string; labels: (number | null)[] }[]
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
${typescriptReturns("probabilities", "type")}  return outcomes.map((outcome) => answer?.probabilities?.[outcome] ?? Number.NaN)
}

/** Returns the outcome that an answer stands for. For a score it is the nearest level. */
function outcomeOf(check: Check, decision: Decision): number {
  const probabilities = probabilitiesOf(check, decision)
${typescriptReturns("outcome", "check.type")}  return probabilities.indexOf(Math.max(...probabilities))
}

/** Returns the outcome that is acted on without a review, or null. */
function automatic(check: Check, decision: Decision): number | null {
  if (check.options) {
    const outcome = outcomeOf(check, decision)
    const from = check.options.find(([option]) => option === check.outcomes[outcome])?.[1] ?? null
    return from !== null && (probabilitiesOf(check, decision)[outcome] ?? 0) >= from ? outcome : null
  }
  if (!check.band) return null
  const { low, high } = check.band
  const probabilities = probabilitiesOf(check, decision)
  if (${BAND_TYPES.map((name) => `check.type !== "${name}"`).join(" && ")}) {
    const outcome = outcomeOf(check, decision)
    const near = probabilities.filter((_, at) => Math.abs(at - outcome) <= slackOf(check))
    return high !== null && near.reduce((sum, each) => sum + each, 0) >= high ? outcome : null
  }
  const yes = probabilities[1] ?? 0
  if (high !== null && yes >= high) return 1
  return low !== null && yes < low ? 0 : null
}

/** Returns how far an automatic answer may be from its label without being wrong. */
function slackOf({ type }: Check): number {
${SLACK_TYPES.map(({ name, slack }) => `  if (type === "${name}") return ${slack}\n`).join("")}  return 0
}

/** Prints the figures of one question and returns what is worse than accepted. */
function judge(check: Check, at: number, decisions: Decision[]): string[] {
  let [rows, right, acted, wrong, distance] = [0, 0, 0, 0, 0]
  // The automatic answers of each outcome: no and yes, or the options.
  const sides = check.outcomes.map(() => ({ acted: 0, wrong: 0 }))
  DATA.rows.forEach(({ labels }, index) => {
    const label = labels[at]
    const decision = decisions[index]
    if (label === null || label === undefined || !decision) return
    const action = automatic(check, decision)
    rows++
    if (outcomeOf(check, decision) === label) right++
    if (action !== null) {
      const isWrong = Math.abs(action - label) > slackOf(check)
      const side = sides[action] ?? { acted: 0, wrong: 0 }
      acted++
      side.acted++
      if (isWrong) wrong++
      if (isWrong) side.wrong++
    }
    distance += Math.abs((decision.answers[check.question]?.score ?? 0) - label)
  })
  const wrongOf = (side?: { acted: number; wrong: number }) => (side?.acted ? side.wrong / side.acted : 0)
  type Figure = [name: string, value: number, limit: number | null | undefined, isLeast: boolean]
  const figures: Figure[] = [
    ["accuracy", right / rows, check.minAccuracy, true],
    ["automatic share", acted / rows, check.minAutomatic, true],
    ["wrong of the automatic", acted ? wrong / acted : 0, check.maxWrongOfAutomatic, false],
    ["wrong of the automatic yes", wrongOf(sides[1]), check.maxWrongOfYes, false],
    ["wrong of the automatic no", wrongOf(sides[0]), check.maxWrongOfNo, false],
    ...(check.options ?? []).flatMap(([option, from]): Figure[] =>
      from === null
        ? []
        : [[\`wrong of the automatic \${option}\`, wrongOf(sides[check.outcomes.indexOf(option)]), check.maxWrongOfOption, false]],
    ),
    ["mean error in levels", distance / rows, check.maxMeanError, false],
  ]
  return figures.flatMap(([name, value, limit, isLeast]) => {
    if (limit === null || limit === undefined) return []
    const isMet = isLeast ? value >= limit : value <= limit
    const line = \`\${check.question}: \${name} is \${value.toFixed(4)}, accepted \${isLeast ? "from" : "up to"} \${limit}\`
    console.log(\`\${isMet ? "ok  " : "FAIL"} \${line}\`)
    return isMet ? [] : [line]
  })
}

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

askAll()
  .then((decisions) => {
    const models = [...new Set(decisions.map(({ model }) => model))]
    if (models.some((model) => model !== DATA.pinnedId))
      console.warn(\`The figures were accepted for \${DATA.pinnedId}, but \${models.join(", ")} answered. Set thresholds again.\`)
    const failures = DATA.checks.flatMap((check, at) => judge(check, at, decisions))
    if (failures.length > 0) process.exitCode = 1
  })
  .catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
`
