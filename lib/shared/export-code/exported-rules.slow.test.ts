import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { acceptedThresholds } from "@/lib/shared/evaluate/export/accepted-thresholds"
import { topConfidences, withinConfidences } from "@/lib/shared/evaluate/figures/confidences"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { choice, noul, score } from "@/lib/shared/request-form/examples"
import { writeRequest } from "@/lib/shared/request-form/write-request"
import { actionOf, type OptionFloor } from "@/lib/shared/runs/thresholds"
import { type Random, seededRandom } from "@/lib/shared/statistics/random"
import { choiceConfidence } from "@/questions/choice/choice"
import { meanLevel, mostLikely } from "@/questions/probabilities"
import { scoreConfidence } from "@/questions/score/score"
import { newRun } from "@/test/scripted-run"
import { tempFolder } from "@/test/temp-folder"
import { type CodeExport, exportCode } from "./export-code"
import type { Acceptance } from "./export-test"

const run = promisify(execFile)
const MODEL = "m-1"
const OPTIONS = ["billing", "__proto__", 'it\u2019s \\"late\\"', "other"]
const folder = tempFolder()
const ROWS = 10_000

/** What a rule is accepted for: what the API answers, and what the evaluation does with these probabilities. */
interface Case {
  name: string
  question: "refund" | "team" | "anger"
  accepted: Partial<Acceptance>
  /** A draw of probabilities, in the order of the outcomes. */
  draw(random: Random): number[]
  certain: number[][]
  answer(probabilities: number[]): object
  action(probabilities: number[]): string
}

/** Two of three are rounded, so that sums and ties of short numbers occur. */
function shares(random: Random, count: number): number[] {
  const raw = Array.from({ length: count }, () => random.share() ** 4)
  const sum = raw.reduce((total, each) => total + each, 0)
  const exact = raw.map((each) => each / sum)
  if (random.below(3) === 0) return exact
  const rounded = exact.slice(1).map((each) => Math.floor(each * 100) / 100)
  return [1 - rounded.reduce((total, each) => total + each, 0), ...rounded]
}

const oneHot = (count: number): number[][] =>
  Array.from({ length: count }, (_, at) => Array.from({ length: count }, (_, other) => Number(other === at)))

const onlyRow = (names: string[], probabilities: number[]) => ({
  names,
  labels: Uint8Array.of(0),
  probabilities: [probabilities],
})
const accept = (confidence: number | undefined, from: number | null): string =>
  from !== null && confidence !== undefined && confidence >= from ? "accept" : "review"

const yesOrNo = (low: number | null, high: number | null): Case => ({
  name: `yes or no, ${low} to ${high}`,
  question: "refund",
  accepted: { band: { low, high } },
  draw: (random) => [0, random.below(2) === 0 ? random.share() : random.below(101) / 100],
  certain: [
    [1, 0],
    [0, 1],
  ],
  answer: ([, yes]) => ({ type: "noul", noul: yes }),
  action: ([, yes = 0]) => actionOf(yes, { low, high }),
})

const ofChoice = (name: string, accepted: Partial<Acceptance>, fromOf: (option: number) => number | null): Case => ({
  name,
  question: "team",
  accepted,
  draw: (random) => shares(random, OPTIONS.length),
  certain: oneHot(OPTIONS.length),
  answer: (p) => ({
    type: "choice",
    choice: OPTIONS[mostLikely(p)],
    confidence: choiceConfidence(p),
    probabilities: Object.fromEntries(OPTIONS.map((option, at) => [option, p[at]])),
  }),
  action: (p) => accept(topConfidences(onlyRow(OPTIONS, p)).confidences[0], fromOf(mostLikely(p))),
})

const LEVELS = ["0", "1", "2", "3", "4"]
const ofScore = (high: number | null): Case => ({
  name: `a score, from ${high}`,
  question: "anger",
  accepted: { band: { low: null, high } },
  draw: (random) => shares(random, LEVELS.length),
  certain: [...oneHot(LEVELS.length), [0.5, 0.5, 0, 0, 0], [0, 0.5, 0.5, 0, 0]],
  answer: (p) => ({
    type: "score",
    score: meanLevel(p),
    confidence: scoreConfidence(p),
    legend: {},
    probabilities: Object.fromEntries(LEVELS.map((level, at) => [level, p[at]])),
  }),
  action: (p) => accept(withinConfidences(onlyRow(LEVELS, p)).confidences[0], high),
})

const FLOORS: OptionFloor[] = [
  ["billing", 0.41],
  ["__proto__", 1],
  [OPTIONS[2] ?? "", null],
  ["other", 0],
]

const CASES: Case[] = [
  yesOrNo(0.12, 0.83),
  yesOrNo(null, 0.5),
  yesOrNo(0.37, null),
  yesOrNo(1, 1),
  ofChoice("a choice, pooled", { band: { low: null, high: 0.63 } }, () => 0.63),
  ofChoice("a choice, per option", { band: null, options: FLOORS }, (option) => FLOORS[option]?.[1] ?? null),
  ofScore(0.9734),
  ofScore(1),
]

const FORM = {
  model: MODEL,
  keyId: "",
  state: asText("s"),
  questions: [
    noul("refund", "Refund?", "", ""),
    choice(
      "team",
      "Which team?",
      OPTIONS.map((option): [string, string] => [option, ""]),
    ),
    score("anger", "How angry?", ["a", "b", "c", "d", "e"]),
  ],
}

function exportsOf({ question, accepted }: Case): CodeExport[] {
  const none = { band: null, minAccuracy: null, maxWrongOfAutomatic: null, minAutomatic: null, maxMeanError: null }
  const run = newRun({ form: FORM, pinnedId: MODEL, acceptances: [{ ...none, question, ...accepted }] })
  return exportCode(writeRequest(FORM), acceptedThresholds(run), "http://localhost:3000") ?? []
}

/** Replaces the request of each program by decisions of a file. It prints the action of each. */
const PROGRAMS = {
  curl: ({ code }: CodeExport, decisions: string) => {
    const [, jq = ""] = code.split("decision_and_thresholds | jq -nr '").slice(1)
    const [, rules = ""] = code.split("cat <<'JSON'\n")
    const many = jq.replace("input as $decision\n| input[]", "input as $rules | inputs as $decision | $rules[]")
    if (many === jq) throw new Error("The program of jq reads its input in another way.")
    return `command -v jq >/dev/null || { echo "jq is missing. Install the Debian package jq." >&2; exit 1; }
{ cat <<'JSON'\n${rules.split("\nJSON\n")[0]}\nJSON\ncat ${decisions}\n} | jq -nr '${many}`
  },
  TypeScript: ({ code }: CodeExport, decisions: string) => `${code.slice(0, code.indexOf("\ndecide(STATE)\n"))}
import { readFileSync } from "node:fs"
for (const line of readFileSync(${JSON.stringify(decisions)}, "utf8").trim().split("\\n"))
  for (const name of ${code.includes("THRESHOLDS") ? "THRESHOLDS" : "MINIMUM"}.keys())
    console.log(name, ${code.includes("THRESHOLDS") ? "actionOf" : "acceptanceOf"}(JSON.parse(line), name))
`,
  Python: ({ code }: CodeExport, decisions: string) => `${code.slice(0, code.indexOf('\nif __name__ == "__main__":'))}
for line in open(${JSON.stringify(decisions)}, encoding="utf-8"):
    for name in ${code.includes("THRESHOLDS") ? "THRESHOLDS" : "MINIMUM"}:
        print(name, ${code.includes("THRESHOLDS") ? "action_of" : "acceptance_of"}(json.loads(line), name))
`,
}

const COMMANDS: Record<CodeExport["language"], string[]> = {
  curl: ["sh"],
  TypeScript: [process.execPath, path.resolve("node_modules/tsx/dist/cli.mjs")],
  Python: ["python3"],
}

test.each(CASES)(
  "$name: 10,000 probabilities, 0 and 1 among them, lead to the actions of the evaluation in three languages",
  async (each) => {
    const random = seededRandom(52)
    const rows = [...each.certain, ...Array.from({ length: ROWS - each.certain.length }, () => each.draw(random))]
    const expected = rows.map((row) => `${each.question} ${each.action(row)}`)
    const decisions = path.join(folder, "decisions.jsonl")
    const lines = rows.map((row) => JSON.stringify({ model: MODEL, answers: { [each.question]: each.answer(row) } }))
    await writeFile(decisions, `${lines.join("\n")}\n`)
    for (const made of exportsOf(each)) {
      const file = path.join(folder, `rules.${made.file}`)
      await writeFile(file, PROGRAMS[made.language](made, decisions))
      const [command = "", ...args] = COMMANDS[made.language]
      const { stdout } = await run(command, [...args, file], { maxBuffer: 2 ** 26 })
      const actions = stdout.trim().split("\n")
      expect([actions.length, actions.findIndex((action, at) => action !== expected[at])]).toEqual([ROWS, -1])
    }
    // One rule that always says the same would prove nothing.
    expect(new Set(expected).size).toBeGreaterThan(1)
  },
)
