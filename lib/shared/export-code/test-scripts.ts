import { typescriptUnion } from "@/questions/answer-text"
import { automationOf, QUESTION_TYPES, TYPE_NAMES } from "@/questions/question-types"
import { PYTHON_CLIENT } from "./python"
import { TYPESCRIPT_CLIENT } from "./typescript"

type Part = "probabilities" | "outcome"

const READINGS = TYPE_NAMES.map((name) => ({ name, ...QUESTION_TYPES[name].outcomes.exported }))
const BAND_TYPES = TYPE_NAMES.filter((name) => automationOf(name)?.kind === "band")

const ownReadings = (part: Part) => READINGS.flatMap(({ name, [part]: own }) => (own ? [{ name, ...own }] : []))

/** Writes an early return for each type that has its own expression for this part. */
const typescriptReturns = (part: Part, type: string): string =>
  ownReadings(part)
    .map(({ name, typescript }) => `  if (${type} === "${name}") return ${typescript}\n`)
    .join("")

const pythonReturns = (part: Part): string =>
  ownReadings(part)
    .map(({ name, python }) => `    if check["type"] == "${name}":\n        return ${python}\n`)
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
  band: { low: number; high: number } | null
  minAccuracy: number | null
  maxWrongOfAutomatic: number | null
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
  if (!check.band) return null
  const probabilities = probabilitiesOf(check, decision)
  if (${BAND_TYPES.map((name) => `check.type !== "${name}"`).join(" && ")}) {
    const outcome = outcomeOf(check, decision)
    return (probabilities[outcome] ?? 0) >= check.band.high ? outcome : null
  }
  const yes = probabilities[1] ?? 0
  return yes >= check.band.high ? 1 : yes < check.band.low ? 0 : null
}

/** Prints the figures of one question and returns what is worse than accepted. */
function judge(check: Check, at: number, decisions: Decision[]): string[] {
  let [rows, right, acted, wrong, distance] = [0, 0, 0, 0, 0]
  DATA.rows.forEach(({ labels }, index) => {
    const label = labels[at]
    const decision = decisions[index]
    if (label === null || label === undefined || !decision) return
    const action = automatic(check, decision)
    rows++
    if (outcomeOf(check, decision) === label) right++
    if (action !== null) acted++
    if (action !== null && action !== label) wrong++
    distance += Math.abs((decision.answers[check.question]?.score ?? 0) - label)
  })
  const figures: [name: string, value: number, limit: number | null, isLeast: boolean][] = [
    ["accuracy", right / rows, check.minAccuracy, true],
    ["automatic share", acted / rows, check.minAutomatic, true],
    ["wrong of the automatic", acted ? wrong / acted : 0, check.maxWrongOfAutomatic, false],
    ["mean error in levels", distance / rows, check.maxMeanError, false],
  ]
  return figures.flatMap(([name, value, limit, isLeast]) => {
    if (limit === null) return []
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

/** Needs Python 3.9 or newer. */
export const TEST_IN_PYTHON = `# Asks the questions about every row of evaluation.json and fails when the answers are worse than the accepted figures.
# Each row is billed. Needs Python 3.9 or newer, no packages. export SVC_API_KEY=svcd_…
# python3 evaluation_test.py
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path

DATA = json.loads(Path(__file__).with_name("evaluation.json").read_text(encoding="utf-8"))
BASE_URL = DATA["baseUrl"]
MODEL = DATA["model"]
QUESTIONS = DATA["questions"]
AT_ONCE = 4

${PYTHON_CLIENT}

def probabilities_of(check, decision):
    """Returns one probability per outcome."""
    answer = decision["answers"][check["question"]]
${pythonReturns("probabilities")}    return [answer["probabilities"][outcome] for outcome in check["outcomes"]]


def outcome_of(check, decision):
    """Returns the outcome that an answer stands for. For a score it is the nearest level."""
    probabilities = probabilities_of(check, decision)
${pythonReturns("outcome")}    return probabilities.index(max(probabilities))


def automatic(check, decision):
    """Returns the outcome that is acted on without a review, or None."""
    band = check["band"]
    if band is None:
        return None
    probabilities = probabilities_of(check, decision)
    if ${BAND_TYPES.map((name) => `check["type"] != "${name}"`).join(" and ")}:
        outcome = outcome_of(check, decision)
        return outcome if probabilities[outcome] >= band["high"] else None
    yes = probabilities[1]
    return 1 if yes >= band["high"] else 0 if yes < band["low"] else None


def judge(check, at, decisions):
    """Prints the figures of one question and returns whether all are as accepted."""
    rows = right = acted = wrong = distance = 0
    for row, decision in zip(DATA["rows"], decisions):
        label = row["labels"][at]
        if label is None:
            continue
        action = automatic(check, decision)
        rows += 1
        right += outcome_of(check, decision) == label
        acted += action is not None
        wrong += action is not None and action != label
        distance += abs(decision["answers"][check["question"]].get("score", 0) - label)
    figures = [
        ("accuracy", right / rows, check["minAccuracy"], True),
        ("automatic share", acted / rows, check["minAutomatic"], True),
        ("wrong of the automatic", wrong / acted if acted else 0, check["maxWrongOfAutomatic"], False),
        ("mean error in levels", distance / rows, check["maxMeanError"], False),
    ]
    all_met = True
    for name, value, limit, is_least in figures:
        if limit is None:
            continue
        is_met = value >= limit if is_least else value <= limit
        all_met = all_met and is_met
        accepted = "from" if is_least else "up to"
        print(f"{'ok  ' if is_met else 'FAIL'} {check['question']}: {name} is {value:.4f}, accepted {accepted} {limit}")
    return all_met


if __name__ == "__main__":
    with ThreadPoolExecutor(AT_ONCE) as pool:
        decisions = list(pool.map(decide, [row["state"] for row in DATA["rows"]]))
    models = sorted({decision["model"] for decision in decisions})
    if models != [DATA["pinnedId"]]:
        print(
            f"The figures were accepted for {DATA['pinnedId']}, but {', '.join(models)} answered. Set thresholds again.",
            file=sys.stderr,
        )
    results = [judge(check, at, decisions) for at, check in enumerate(DATA["checks"])]
    sys.exit(0 if all(results) else 1)
`
