import { typescriptUnion } from "@/questions/answer-text"
import { SHARE_MEMBERS } from "@/questions/automation"
import { typeOf } from "@/questions/question-types"
import type { ExportInput, NamedBand, NamedMinimum } from "./request-parts"

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

/** Declares `decide(state)`, which needs `BASE_URL`, `MODEL`, `QUESTIONS` and the type `Decision`. */
export const TYPESCRIPT_CLIENT = `
/** An error from the API. Check \`code\`. */
export class DecisionError extends Error {
  status: number
  code: string
  requestId: string | null

  constructor(status: number, code: string, message: string, requestId: string | null) {
    super(\`\${status} \${code}: \${message}\`)
    this.status = status
    this.code = code
    this.requestId = requestId
  }
}

function errorOf(response: Response, text: string): DecisionError {
  const requestId = response.headers.get("x-request-id")
  try {
    const { code, message } = JSON.parse(text).error
    return new DecisionError(response.status, code, message, requestId)
  } catch {
    const code = response.status === 504 ? "upstream_timeout" : "unreadable"
    return new DecisionError(response.status, code, "The response is not JSON.", requestId)
  }
}

/** Returns Retry-After, 1 second to an hour, if present, else exponential backoff with jitter. */
function waitMs(response: Response | undefined, attempt: number): number {
  const seconds = Number(response?.headers.get("retry-after") || Number.NaN)
  if (Number.isNaN(seconds)) return Math.random() * 500 * 2 ** attempt
  return Math.min(3600, Math.max(1, seconds)) * 1000
}

async function send(headers: Record<string, string>, body: string): Promise<{ response: Response; text: string }> {
  const signal = AbortSignal.timeout(130_000)
  const response = await fetch(\`\${BASE_URL}/v1/decisions\`, { method: "POST", headers, body, signal })
  return { response, text: await response.text() }
}

/**
 * Asks the questions about a state, given as JSON text. Retries 429, 500, 502, 503, 504, timeouts and lost connections. Any
 * other error, such as 402, is thrown at once. All attempts have one Idempotency-Key and one body, so the request is charged once.
 */
export async function decide(state: string): Promise<Decision> {
  const key = process.env.SVC_API_KEY
  if (!key) throw new Error("Set SVC_API_KEY to an API key.")
  const headers = {
    authorization: \`Bearer \${key}\`,
    "content-type": "application/json",
    "idempotency-key": crypto.randomUUID(),
  }
  const body = \`{"model":\${JSON.stringify(MODEL)},"state":\${state},"questions":\${QUESTIONS}}\`
  for (let attempt = 0; ; attempt++) {
    const sent = await send(headers, body).catch((error) => {
      if (attempt === 4) throw error
      return null
    })
    if (sent?.response.ok) return JSON.parse(sent.text) as Decision
    if (sent && (attempt === 4 || ![429, 500, 502, 503, 504].includes(sent.response.status)))
      throw errorOf(sent.response, sent.text)
    await new Promise((resolve) => setTimeout(resolve, waitMs(sent?.response, attempt)))
  }
}
`

/** Writes a TypeScript program that Node 22.18 or newer runs without a compiler. */
export function typescriptExport({ parts, bands, minimums, baseUrl }: ExportInput): string {
  const { request, stateJson, questionsJson } = parts
  const answers = request.questions.map(
    (question) => `  ${member(question.name)}: ${typeOf(question).answerType(question)}`,
  )
  return `// Run: node decide.ts (Node 22.18 or newer), or npx tsx decide.ts (Node 20). export SVC_API_KEY=svcd_…
const BASE_URL = ${JSON.stringify(baseUrl)}
const MODEL = ${JSON.stringify(request.model)}

/** The state as JSON text. To use your own: JSON.stringify(state). */
const STATE = ${template(stateJson)}

/** The questions as JSON text, which keeps the order of names. */
const QUESTIONS = ${template(questionsJson)}

export interface Answers {
${answers.join("\n")}
}

export interface Decision {
  /** The pinned model that answered, even when the request names an alias. */
  model: string
  answers: Answers
  usage: { input_tokens: number; output_tokens: number }
}
${thresholds(bands)}${minimumsOf(minimums)}${TYPESCRIPT_CLIENT}
decide(STATE)
  .then((decision) => {
    console.log(JSON.stringify(decision, null, 2))
${bands.length ? "    for (const name of THRESHOLDS.keys()) console.log(name, actionOf(decision, name))\n" : ""}${minimums.length ? "    for (const name of MINIMUM.keys()) console.log(name, acceptanceOf(decision, name))\n" : ""}  })
  .catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
`
}
