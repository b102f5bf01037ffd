import type { ClientApi } from "./export-apis"

interface TypeScriptClient {
  /** Without its version. */
  name: string
  version: string
  imports: string
  /** Creates `client`, and declares `decide(state)`. Needs `BASE_URL`, `MODEL` and `QUESTIONS`. */
  code: string
  /** Declares `decisionOf(decided)`, which returns what the thresholds read. */
  decisionOf: string
}

/** Declares `post(path, body)`, which needs `BASE_URL`. */
export const TYPESCRIPT_POST = `
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

interface Sent {
  response: Response
  text: string
}

async function send(path: string, headers: Record<string, string>, body: string): Promise<Sent> {
  const signal = AbortSignal.timeout(130_000)
  const response = await fetch(BASE_URL + path, { method: "POST", headers, body, signal })
  return { response, text: await response.text() }
}

/**
 * Sends JSON text. Retries 429, 500, 502, 503, 504, timeouts and lost connections. Any other error, such as 402, is thrown
 * at once. All attempts have one Idempotency-Key and one body, so a decision is charged once.
 */
async function post(path: string, body: string): Promise<Sent> {
  const key = process.env.SVC_API_KEY
  if (!key) throw new Error("Set SVC_API_KEY to an API key.")
  const headers = {
    authorization: \`Bearer \${key}\`,
    "content-type": "application/json",
    "idempotency-key": crypto.randomUUID(),
  }
  for (let attempt = 0; ; attempt++) {
    const sent = await send(path, headers, body).catch((error) => {
      if (attempt === 4) throw error
      return null
    })
    if (sent?.response.ok) return sent
    if (sent && (attempt === 4 || ![429, 500, 502, 503, 504].includes(sent.response.status)))
      throw errorOf(sent.response, sent.text)
    await new Promise((resolve) => setTimeout(resolve, waitMs(sent?.response, attempt)))
  }
}
`

/** Declares `post` and `decide(state)`, which need `BASE_URL`, `MODEL`, `QUESTIONS` and the type `Decision`. */
export const TYPESCRIPT_CLIENT = `${TYPESCRIPT_POST}
/** Asks the questions about a state, given as JSON text. */
export async function decide(state: string): Promise<Decision> {
  const body = \`{"model":\${JSON.stringify(MODEL)},"state":\${state},"questions":\${QUESTIONS}}\`
  return JSON.parse((await post("/v1/decisions", body)).text) as Decision
}
`

/** Ends the program without a key, because the clients would then send the one of another service from their own variable. */
const API_KEY = `
const apiKey = process.env.SVC_API_KEY
if (!apiKey) throw new Error("Set SVC_API_KEY to an API key.")
`

const RETRIES = "The client's retries have one Idempotency-Key, so the request is charged once."

/** The results of these clients have the members of `Decision`. */
const ALREADY_NAMED = `
/** Returns the decision with the type of each answer. */
const decisionOf = (decided: object): Decision => decided as Decision
`

const OPENAI_NAMED = `
/** Returns the answers by question, as the thresholds read them. */
function decisionOf({ model, answers }: OpenAI.Decision): Decision {
  const named = answers.map((answer) => {
    const entries = "probabilities" in answer ? answer.probabilities : []
    const probabilities = Object.fromEntries(entries.map(({ value, probability }) => [String(value), probability]))
    return [answer.name, answer.type === "predicate" ? { noul: answer.probability } : { ...answer, probabilities }]
  })
  return { model, answers: Object.fromEntries(named) }
}
`

/** The clients of other APIs for TypeScript. Tests run them at these versions. */
export const TYPESCRIPT_CLIENTS: Readonly<Record<ClientApi, TypeScriptClient>> = {
  systemone: {
    name: "@typesafe-ai/sdk",
    version: "0.6.0",
    imports: `import { TypeSafeClient } from "@typesafe-ai/sdk"`,
    code: `${API_KEY}const client = new TypeSafeClient({ apiKey, baseURL: BASE_URL, timeout: 130_000 })

/** Asks the questions about a state, given as JSON text. ${RETRIES} */
export async function decide(state: string) {
  const body = { model: MODEL, state: JSON.parse(state), questions: JSON.parse(QUESTIONS) }
  return await client.systemOne(body, { headers: { "Idempotency-Key": crypto.randomUUID() } })
}
`,
    decisionOf: ALREADY_NAMED,
  },
  openrouter: {
    name: "@openrouter/sdk",
    version: "1.3.19",
    imports: `import { OpenRouter } from "@openrouter/sdk"`,
    code: `${API_KEY}const client = new OpenRouter({ apiKey, serverURL: BASE_URL, timeoutMs: 130_000 })

/** Asks the questions about a state, given as JSON text. ${RETRIES} */
export async function decide(state: string) {
  const decisionsRequest = { model: MODEL, state: JSON.parse(state), questions: JSON.parse(QUESTIONS) }
  return await client.systemOne.create({ decisionsRequest }, { headers: { "Idempotency-Key": crypto.randomUUID() } })
}
`,
    decisionOf: ALREADY_NAMED,
  },
  openai: {
    name: "openai",
    version: "7.55.0",
    imports: `import OpenAI from "openai"`,
    code: `${API_KEY}const client = new OpenAI({ apiKey, baseURL: BASE_URL, timeout: 130_000 })

/** Asks the questions about a state, given as JSON text. ${RETRIES} */
export async function decide(state: string) {
  const body = { model: MODEL, input: JSON.parse(state), questions: JSON.parse(QUESTIONS) }
  return await client.decisions.create(body, { headers: { "Idempotency-Key": crypto.randomUUID() } })
}
`,
    decisionOf: OPENAI_NAMED,
  },
}
