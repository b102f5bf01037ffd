import { createServer } from "node:http"
import { afterEach, beforeEach, expect, test } from "vitest"
import { checkedRequest, noul, score } from "@/test/checked-request"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { listen } from "@/test/listen"
import { unprobedEngines } from "@/test/open-engine"
import { requestBody } from "./request-body"

const never = new AbortController().signal
let llama: LlamaCppDouble

const open = unprobedEngines(() => ({ url: llama.url }))

beforeEach(async () => {
  llama = await startLlamaCpp({ contextTokens: 1_000_000 })
})
afterEach(() => llama.stop())

const prose = 'Late, "again" — '.repeat(20_000)

test("a long text reaches the engine complete, as sent or quoted, with its length", async () => {
  for (const state of [prose, [prose, { a: 1 }]]) {
    const request = checkedRequest(state, score("q", { long: prose }, ["low", [prose]]))
    await open({ tokenizer: null }).answer(request, never)
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
  const engine = open({ url: await listen(createServer((_, response) => response.end(answer))) })
  const request = checkedRequest("x".repeat(400_000), noul("q", "Is it?"))
  await expect(engine.countTokens(request, never)).rejects.toMatchObject({ code: "upstream_error" })
})
