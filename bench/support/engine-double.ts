/**
 * An engine that costs almost nothing: fixed answers to the questions of `requests.ts`, at once. It speaks what our adapter
 * asks of llama.cpp, and one chat completion of the same size for gateways that relay that. Argument: port.
 */
import * as http from "node:http"
import { ANSWERS, CHAT_COMPLETION } from "./requests"

const [port] = process.argv.slice(2)
/** A decision model reads some ten thousand tokens; what is longer is refused as llama.cpp refuses it. */
const LONGEST_BYTES = 1_048_576
const TOO_LONG = JSON.stringify({ error: { code: 400, type: "exceed_context_size_error", message: "too long" } })
const MODELS = JSON.stringify({
  object: "list",
  data: [{ id: "kev-4b", object: "model", architecture: { output_modalities: ["decisions"] } }],
})
const PROPS = JSON.stringify({ build_info: "b11400-0a1b2c3d", total_slots: 64 })
const SMALL = { test: { type: "noul", noul: 0.9 } }
const PROBE = JSON.stringify({ model: "kev-4b", answers: SMALL })
/** The probe asks whether a question's answer depends on its neighbours. */
const PAIR = JSON.stringify({ model: "kev-4b", answers: { ...SMALL, other: { type: "noul", noul: 0.1 } } })

function answersTo(body: Buffer): string {
  if (!body.includes('"test":{')) return ANSWERS
  return body.includes('"other":{') ? PAIR : PROBE
}

function answerTo(path: string | undefined, body: Buffer): [status: number, json: string] {
  if (path === "/v1/systemone") return [200, answersTo(body)]
  if (path === "/v1/chat/completions") return [200, CHAT_COMPLETION]
  // As many token ids as a real tokenizer would answer, about one for four bytes.
  if (path === "/tokenize") return [200, `{"tokens":[1${",12345".repeat(body.length / 4)}]}`]
  if (path === "/v1/models") return [200, MODELS]
  return [200, PROPS]
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
      if (length <= LONGEST_BYTES) chunks.push(chunk)
    })
    request.on("end", () => {
      if (length > LONGEST_BYTES) send(response, 400, TOO_LONG)
      else
        send(response, ...answerTo(request.url, chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    })
  })
  .listen(Number(port), "127.0.0.1")
