import { typescriptUnion } from "@/questions/answer-text"
import { SHARE_MEMBERS } from "@/questions/automation"
import { typeOf } from "@/questions/question-types"
import { API_PATHS, clientApiOf } from "./export-apis"
import { typescriptReport } from "./report-outcomes"
import type { ExportInput, NamedBand, NamedMinimum } from "./request-parts"
import { TYPESCRIPT_CLIENT, TYPESCRIPT_CLIENTS, TYPESCRIPT_POST } from "./typescript-clients"

/** Writes JSON as a template, raw when possible. Escapes in the JSON reach the API as they are, because it bills the source text. */
function template(json: string): string {
  const text = json.replaceAll("\r", "")
  if (!/`|\$\{/.test(text)) return `String.raw\`${text}\``
  return `\`${text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${")}\``
}

const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && name !== "__proto__"
const member = (name: string): string => (isPlainName(name) ? name : JSON.stringify(name))

function thresholds(bands: NamedBand[]): string {
  if (bands.length === 0) return ""
  const entries = bands.map(
    ({ name, low, high, model }) =>
      `  [${JSON.stringify(name)}, { low: ${low}, high: ${high}, model: ${JSON.stringify(model)} }],`,
  )
  return `
/**
 * Set for one pinned model each. Probabilities of different models are not comparable. After an alias moves, every
 * action is "review" until the thresholds are set again.
 */
const THRESHOLDS = new Map<${typescriptUnion(bands.map(({ name }) => name))}, { low: number | null; high: number | null; model: string }>([
${entries.join("\n")}
])

/** Returns "no" below low, "yes" from high up, and "review" in between or when another model answered. Null: never. */
export function actionOf(decision: Decision, name: ${typescriptUnion(bands.map(({ name }) => name))}): "no" | "review" | "yes" {
  const band = THRESHOLDS.get(name)
  if (!band) return "review"
  if (decision.model !== band.model) {
    console.warn(\`\${decision.model} answered, but the threshold of \${name} was set for \${band.model}. Set it again.\`)
    return "review"
  }
  const yes = decision.answers[name].${SHARE_MEMBERS.band}
  if (band.high !== null && yes >= band.high) return "yes"
  return band.low !== null && yes < band.low ? "no" : "review"
}
`
}

/** What the exported function compares, by kind of threshold. */
const MINIMUM_KINDS = [
  {
    member: "confidence",
    type: "confidence: number",
    comment: "Of the answer.",
    code: `  if ("confidence" in minimum) return accepted(answer.${SHARE_MEMBERS.floor} ?? Number.NaN, minimum.confidence)
`,
  },
  {
    member: "probability",
    type: "probability: number",
    comment: "The probability of the answer's option.",
    code: `  if ("probability" in minimum)
    return accepted(answer.probabilities[answer.choice ?? ""] ?? Number.NaN, minimum.probability)
`,
  },
  {
    member: "options",
    type: "options: [option: string, from: number | null][]",
    comment: "The probability of the answer's option, for each option. Null: never.",
    code: `  if ("options" in minimum) {
    const choice = answer.choice ?? ""
    const set = minimum.options.find(([option]) => option === choice)
    return accepted(answer.probabilities[choice] ?? Number.NaN, set?.[1] ?? null)
  }
`,
  },
  {
    member: "within",
    type: "within: number",
    comment: "The probability of the levels at most one away from the rounded score, together.",
    code: `  if ("within" in minimum) {
    const level = Math.round(answer.score ?? Number.NaN)
    const near = [level - 1, level, level + 1].reduce((sum, at) => sum + (answer.probabilities[at] ?? 0), 0)
    return accepted(near, minimum.within)
  }
`,
  },
] as const

function minimumEntry({ name, model, ...minimum }: NamedMinimum): string {
  const members = Object.entries(minimum).map(([member, value]) => `${member}: ${JSON.stringify(value)}`)
  return `  [${JSON.stringify(name)}, { ${members.join(", ")}, model: ${JSON.stringify(model)} }],`
}

function minimumsOf(minimums: NamedMinimum[]): string {
  if (minimums.length === 0) return ""
  const kinds = MINIMUM_KINDS.filter(({ member }) => minimums.some((minimum) => member in minimum))
  const names = typescriptUnion(minimums.map(({ name }) => name))
  return `
/**
 * Set for one pinned model each. Answers of different models are not comparable. After an alias moves, everything is
 * "review" until the thresholds are set again.
 */
type Minimum = { model: string } & (
${kinds.map(({ comment, type }) => `  /** ${comment} */\n  | { ${type} }`).join("\n")}
)
const MINIMUM = new Map<${names}, Minimum>([
${minimums.map(minimumEntry).join("\n")}
])

const accepted = (share: number, from: number | null): "accept" | "review" =>
  from !== null && share >= from ? "accept" : "review"

/** Returns "review" below the minimum and when another model answered, else "accept". */
export function acceptanceOf(decision: Decision, name: ${names}): "accept" | "review" {
  const minimum = MINIMUM.get(name)
  if (!minimum) return "review"
  if (decision.model !== minimum.model) {
    console.warn(\`\${decision.model} answered, but the threshold of \${name} was set for \${minimum.model}. Set it again.\`)
    return "review"
  }
  const answer: { confidence: number; choice?: string; score?: number; probabilities: { [key: string]: number } } =
    decision.answers[name]
${kinds.map(({ code }) => code).join("")}  return "review"
}
`
}

const OWN_HEAD =
  "// Run: node decide.ts (Node 22.18 or newer), or npx tsx decide.ts (Node 20). export SVC_API_KEY=svcd_…\n"

/** Returns what differs between the programs of the APIs. */
function clientOf({ api, parts, bands, minimums }: ExportInput) {
  const hasActions = bands.length + minimums.length > 0
  const client = clientApiOf(api)
  if (!client)
    return {
      head: `${OWN_HEAD}${api === "outcomes" ? 'import { readFileSync } from "node:fs"\n\n' : ""}`,
      code: api === "outcomes" ? TYPESCRIPT_POST + typescriptReport(parts.request.questions) : TYPESCRIPT_CLIENT,
      isTyped: true,
      named: "decision",
    }
  const { name, version, imports, code, decisionOf } = TYPESCRIPT_CLIENTS[client]
  const run = `npm install ${name}@${version} && node decide.mts (Node 22.18 or newer)`
  return {
    head: `// Run: ${run}. export SVC_API_KEY=svcd_…\n${imports}\n\n`,
    code: hasActions ? code + decisionOf : code,
    isTyped: hasActions,
    named: "decisionOf(decision)",
  }
}

function typesOf({ api, parts }: ExportInput): string {
  const answers = parts.request.questions.map(
    (question) => `  ${member(question.name)}: ${typeOf(question).answerType(question)}`,
  )
  const usage = clientApiOf(api) ? "" : "\n  usage: { input_tokens: number; output_tokens: number }"
  const id =
    api === "outcomes"
      ? "\n  /** Names the request when you report outcomes. Null when a retry got a stored response, which has no charge. */\n  request_id: string | null"
      : ""
  return `
export interface Answers {
${answers.join("\n")}
}

export interface Decision {
  /** The pinned model that answered, even when the request names an alias. */
  model: string
  answers: Answers${usage}${id}
}
`
}

const FAILED = `catch((error) => {
  console.error(error)
  process.exitCode = 1
})
`

/** Writes what the program does when it is run: it asks, and acts on the thresholds. With outcomes, it reports those of a file too. */
function mainOf(input: ExportInput): string {
  const { api, bands, minimums } = input
  const { named } = clientOf(input)
  const show = [
    "console.log(JSON.stringify(decision, null, 2))",
    ...(bands.length ? [`for (const name of THRESHOLDS.keys()) console.log(name, actionOf(${named}, name))`] : []),
    ...(minimums.length ? [`for (const name of MINIMUM.keys()) console.log(name, acceptanceOf(${named}, name))`] : []),
  ]
  if (api !== "outcomes")
    return `decide(STATE)
  .then((decision) => {
${show.map((line) => `    ${line}\n`).join("")}  })
  .${FAILED.replaceAll("\n", "\n  ").trimEnd()}
`
  const lines = [...show, "for (const prediction of predictionsOf(decision)) console.log(JSON.stringify(prediction))"]
  return `async function ask(): Promise<void> {
  const decision = await decide(STATE)
${lines.map((line) => `  ${line}\n`).join("")}}

const [command, file = ""] = process.argv.slice(2)
const done = command === "report" ? reportFile(file) : ask()
done.${FAILED}`
}

/** Writes a TypeScript program that Node 22.18 or newer runs without a compiler. */
export function typescriptExport(input: ExportInput): string {
  const { api, parts, bands, minimums, baseUrl } = input
  const { request, stateJson, questionsJson } = parts
  const { head, code, isTyped } = clientOf(input)
  return `${head}const BASE_URL = ${JSON.stringify(baseUrl + API_PATHS[api].base)}
const MODEL = ${JSON.stringify(request.model)}

/** ${api === "openai" ? "The input as JSON text. To use your own text: JSON.stringify(text)." : "The state as JSON text. To use your own: JSON.stringify(state)."} */
const STATE = ${template(stateJson)}

/** The questions as JSON text${clientApiOf(api) ? "" : ", which keeps the order of names"}. */
const QUESTIONS = ${template(questionsJson)}
${isTyped ? typesOf(input) : ""}${thresholds(bands)}${minimumsOf(minimums)}${code}
${mainOf(input)}`
}
