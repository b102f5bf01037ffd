/**
 * An engine with minimal cost: it immediately returns fixed answers to the questions of `requests.ts`. It has the llama.cpp
 * routes that the adapter uses, and a chat completion of the same size for gateways that relay those. Arguments: port, and the time
 * of an answer in ms and how many it computes at once, for an engine that limits the throughput.
 */
import * as http from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { ANSWERS, CHAT_COMPLETION } from "./requests"

const [port, answerMs = "0", slots = "64"] = process.argv.slice(2)
/** Larger requests get llama.cpp's 400. The double never parses a 28 MiB body, which would take processor time from the service. */
const MAX_BYTES = 1_048_576
const TOO_LONG = JSON.stringify({ error: { code: 400, type: "exceed_context_size_error", message: "too long" } })
const MODELS = JSON.stringify({
  object: "list",
  data: [{ id: "kev-4b", object: "model", architecture: { output_modalities: ["decisions"] } }],
})
const PROPS = JSON.stringify({ build_info: "b11400-0a1b2c3d", total_slots: Number(slots) })

interface Question {
  type: string
  criteria?: object
}

/** Answers a question by its type and options alone, as a model does that reads each question without the others. */
function answerOf({ type, criteria = {} }: Question): object {
  if (type === "noul") return { type, noul: 0.9 }
  const names = Object.keys(criteria)
  const probabilities = Object.fromEntries(names.map((name) => [name, 1 / names.length]))
  return type === "choice"
    ? { type, choice: names[0], probabilities, confidence: 0 }
    : { type, score: (names.length - 1) / 2, legend: criteria, probabilities, confidence: 0 }
}

/** The benchmarks' questions have a fixed response. Others come from the probe. */
function answersTo(body: Buffer): string {
  if (body.includes('"angry":{') && body.includes('"urgency":{')) return ANSWERS
  const { questions } = JSON.parse(body.toString()) as { questions: Record<string, Question> }
  const answers = Object.entries(questions).map(([name, question]) => [name, answerOf(question)] as const)
  const usage = { input_tokens: 100 * answers.length, output_tokens: 0 }
  return JSON.stringify({ model: "kev-4b", answers: Object.fromEntries(answers), usage })
}

function answerTo(path: string | undefined, body: Buffer): [status: number, json: string] {
  if (path === "/v1/systemone") return [200, answersTo(body)]
  if (path === "/v1/chat/completions") return [200, CHAT_COMPLETION]
  // About one token id per four bytes, like a real tokenizer.
  if (path === "/tokenize") return [200, `{"tokens":[1${",12345".repeat(body.length / 4)}]}`]
  if (path === "/v1/models") return [200, MODELS]
  return [200, PROPS]
}

let computing = 0
const queue: (() => void)[] = []

/** Takes the time of an answer, with at most `slots` answers at once. */
async function compute(): Promise<void> {
  if (answerMs === "0") return
  if (computing >= Number(slots)) await new Promise<void>((resolve) => queue.push(resolve))
  else computing++
  await sleep(Number(answerMs))
  const next = queue.shift()
  if (next) next()
  else computing--
}

function send(response: http.ServerResponse, status: number, json: string): void {
  response.writeHead(status, { "content-type": "application/json", "content-length": json.length })
  response.end(json)
}

http
  .createServer({ keepAliveTimeout: 600_000, noDelay: true }, (request, response) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length <= MAX_BYTES) chunks.push(chunk)
    })
    request.on("end", async () => {
      if (request.url === "/v1/systemone") await compute()
      if (length > MAX_BYTES) send(response, 400, TOO_LONG)
      else
        send(response, ...answerTo(request.url, chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    })
  })
  .listen(Number(port), "127.0.0.1")
