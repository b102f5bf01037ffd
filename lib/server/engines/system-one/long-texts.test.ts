import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import { checkedRequest, noul, score } from "@/test/checked-request"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { requestBody } from "./request-body"
import { SystemOneEngine } from "./system-one-engine"

const never = new AbortController().signal
const opened: SystemOneEngine[] = []
let llama: LlamaCppDouble

function open(url = llama.url, tokenizer: string | null = "engine"): SystemOneEngine {
  const engine = new SystemOneEngine({ url, model: "kev-4b", tokenizer, apiKey: null })
  opened.push(engine)
  return engine
}

beforeEach(async () => {
  llama = await startLlamaCpp({ contextTokens: 1_000_000 })
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()))
  await llama.stop()
})

const prose = 'Late, "again" — '.repeat(20_000)

test("a long text reaches the engine complete, as sent or quoted, with its length", async () => {
  for (const state of [prose, [prose, { a: 1 }]]) {
    const request = checkedRequest(state, score("q", { long: prose }, ["low", [prose]]))
    await open(llama.url, null).answer(request, never)
    const sent = llama.requests.findLast(({ path }) => path === "/v1/systemone")
    expect(JSON.parse(sent?.body ?? "")).toEqual({
      model: "kev-4b",
      state: typeof state === "string" ? state : JSON.stringify(state),
      questions: { q: { type: "score", instructions: { long: prose }, criteria: ["low", [prose]] } },
    })
    expect(sent?.headers["content-length"]).toBe(String(requestBody("kev-4b", request, { isStrict: false }).bytes))
    expect(Buffer.byteLength(sent?.body ?? "")).toBe(requestBody("kev-4b", request, { isStrict: false }).bytes)
  }
})

test("a long token list is counted, and a long text's count is not remembered", async () => {
  const engine = open()
  const request = () => checkedRequest("word ".repeat(80_000), noul("q", "Is it?"))
  // The tokens are "word", 79,999 times " word" and a space; then "Is" and " it?".
  expect(await engine.countTokens(request(), never)).toEqual({ state: 80_001, questions: [2] })
  expect(await engine.countTokens(request(), never)).toEqual({ state: 80_001, questions: [2] })
  const asked = llama.requests.map(({ body }) => body.length > 1_000)
  expect(asked.toSorted()).toEqual([false, true, true])
})

test.each([
  ["is not a list", `{"tokens":"${"1,".repeat(200_000)}"}`],
  ["is cut off", `{"tokens":[${"1,".repeat(200_000)}`],
  ["has another name", `{"count":[${"1,".repeat(200_000)}1]}`],
])("a long response that %s is upstream_error", async (_name, answer) => {
  const server = createServer((_, response) => response.end(answer))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const engine = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const request = checkedRequest("x".repeat(400_000), noul("q", "Is it?"))
  await expect(engine.countTokens(request, never)).rejects.toMatchObject({ code: "upstream_error" })
  server.closeAllConnections()
  server.close()
})
