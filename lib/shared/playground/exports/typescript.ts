import type { CheckedQuestion } from "@/questions/question-types"
import type { NamedBand } from "../thresholds"
import type { ExportInput } from "./export-code"

/**
 * JSON as a template, raw where nothing in it ends one. Escaping it as JSON would not do: an object is read, and billed, by
 * its source text.
 */
function template(json: string): string {
  const text = json.replaceAll("\r", "")
  if (!/`|\$\{/.test(text)) return `String.raw\`${text}\``
  return `\`${text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${")}\``
}

const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && name !== "__proto__"
const member = (name: string): string => (isPlainName(name) ? name : JSON.stringify(name))
const union = (names: string[]): string => names.map((name) => JSON.stringify(name)).join(" | ")

function answerType(question: CheckedQuestion): string {
  if (question.type === "noul") return `{ type: "noul"; noul: number }`
  if (question.type === "choice") {
    const names = union(question.options.map(({ name }) => name))
    return `{ type: "choice"; choice: ${names}; confidence: number; probabilities: Record<${names}, number> }`
  }
  const levels = union(question.levels.map((_, level) => String(level)))
  return `{ type: "score"; score: number; confidence: number; legend: Record<${levels}, unknown>; probabilities: Record<${levels}, number> }`
}

/** Code that turns a probability into an action, when there are thresholds. */
function thresholds(bands: NamedBand[]): string {
  if (bands.length === 0) return ""
  const entries = bands.map(
    ({ name, low, high, model }) =>
      `  [${JSON.stringify(name)}, { low: ${low}, high: ${high}, model: ${JSON.stringify(model)} }],`,
  )
  return `
/** Set in the playground, each for one pinned model: probabilities of another one are not comparable. */
const THRESHOLDS = new Map<${union(bands.map(({ name }) => name))}, { low: number; high: number; model: string }>([
${entries.join("\n")}
])

/** "no" below low, "yes" from high on, "review" between them and whenever another model answered. */
export function actionOf(decision: Decision, name: ${union(bands.map(({ name }) => name))}): "no" | "review" | "yes" {
  const band = THRESHOLDS.get(name)
  if (!band || decision.model !== band.model) return "review"
  const yes = decision.answers[name].noul
  return yes >= band.high ? "yes" : yes < band.low ? "no" : "review"
}
`
}

const CLIENT = `
/** A refusal of the API; \`code\` says which. */
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

/** Retry-After in seconds where there is one, else exponential backoff with jitter. */
function waitMs(response: Response, attempt: number): number {
  const seconds = Number(response.headers.get("retry-after"))
  return seconds > 0 ? seconds * 1000 : Math.random() * 500 * 2 ** attempt
}

/**
 * Answers the questions about a state, which is JSON text. 429 and 5xx are sent again; any other refusal, such as 402, ends
 * at once. After a time-out or a lost connection nothing is sent again: that request may have been answered and charged.
 */
export async function decide(state: string): Promise<Decision> {
  const key = process.env.SVC_API_KEY
  if (!key) throw new Error("Set SVC_API_KEY to an API key.")
  const body = \`{"model":\${JSON.stringify(MODEL)},"state":\${state},"questions":\${QUESTIONS}}\`
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(\`\${BASE_URL}/v1/decisions\`, {
      method: "POST",
      headers: { authorization: \`Bearer \${key}\`, "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(130_000),
    })
    const text = await response.text()
    if (response.ok) return JSON.parse(text) as Decision
    if (![429, 500, 502, 503, 504].includes(response.status) || attempt === 4) throw errorOf(response, text)
    await new Promise((resolve) => setTimeout(resolve, waitMs(response, attempt)))
  }
}
`

/** For Node 20 or newer, alone; types that can be stripped. */
export function typescriptExport({ parts, bands, baseUrl }: ExportInput): string {
  const { request, stateJson, questionsJson } = parts
  const answers = request.questions.map((question) => `  ${member(question.name)}: ${answerType(question)}`)
  return `// Node 20 or newer, no packages. export SVC_API_KEY=svcd_…
const BASE_URL = ${JSON.stringify(baseUrl)}
const MODEL = ${JSON.stringify(request.model)}

/** The state as JSON text. For one of your own: JSON.stringify(state). */
const STATE = ${template(stateJson)}

/** The questions as JSON text, so that names keep their order. */
const QUESTIONS = ${template(questionsJson)}

export interface Answers {
${answers.join("\n")}
}

export interface Decision {
  /** The pinned model that answered, also when an alias was asked. */
  model: string
  answers: Answers
  usage: { input_tokens: number; output_tokens: number }
}
${thresholds(bands)}${CLIENT}
decide(STATE)
  .then((decision) => {
    console.log(JSON.stringify(decision, null, 2))
${bands.length ? "    for (const name of THRESHOLDS.keys()) console.log(name, actionOf(decision, name))\n" : ""}  })
  .catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
`
}
