import { createServer } from "node:http"
import { expect, it } from "vitest"
import { checkedRequest, noul } from "@/test/checked-request"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startSglang } from "@/test/doubles/sglang"
import { listen } from "@/test/listen"
import { unprobedEngines } from "@/test/open-engine"
import { TokenCounter } from "../tokenizer/token-counter"
import { EngineTokens } from "./tokenize"
import { Transport } from "./transport"

const never = new AbortController().signal
const sglang = await startSglang()

const open = unprobedEngines(() => ({ url: sglang.url, model: "qwen3-8b", tokenizer: null }))

it("detects an engine that counts a prompt's tokens and uses that dialect", async () => {
  const before = open()
  expect(await before.probe(never)).toMatchObject({ available: true, tokenizer: "engine-prompt" })
  const engine = open({ tokenizer: "engine-prompt" })
  const request = checkedRequest("the charge \u{1f40e}", noul("q", { d: 1 }))
  // "the", " char", "ge", " \u{1f40e}" · `{"d"`, ":1}"
  expect(await engine.countTokens(request, never)).toEqual({ state: 4, questions: [2] })
  expect(sglang.requests.filter(({ path }) => path === "/tokenize").at(-1)?.body).toBe(
    '{"prompt":"{\\"d\\":1}","add_special_tokens":false}',
  )
})

it("has no bound for an engine whose normaliser is unknown: the hold is the exact count", async () => {
  const engine = open({ tokenizer: "engine-prompt" })
  const request = checkedRequest("the charge", noul("q", "late"))
  expect(engine.maxTokens(request)).toBeNull()
  expect(await engine.countTokens(request, never)).toEqual({ state: 3, questions: [1] })
})

it("reads the count that comes with a long token list", async () => {
  const engine = open({ tokenizer: "engine-prompt" })
  expect(await engine.countTokens(checkedRequest("word ".repeat(80_000), noul("q", "late")), never)).toEqual({
    state: 80_001,
    questions: [1],
  })
})

it("stops relying on bytes after a text with more tokens: that request fails, later ones are counted first", async () => {
  const server = createServer((_, response) => response.end(JSON.stringify({ tokens: Array(9).fill(1) })))
  const transport = new Transport(await listen(server), null)
  const counter = new TokenCounter(new EngineTokens(transport, "content"))
  const request = checkedRequest("abc", noul("q", "d"))
  expect(counter.maxTokens(request)).toBe(6)
  await expect(counter.count(request, never)).rejects.toMatchObject({ code: "upstream_error" })
  expect(counter.maxTokens(request)).toBeNull()
  expect(await counter.count(request, never)).toEqual({ state: 9, questions: [9] })
  await transport.close()
})

it("bounds llama.cpp's tokens by bytes, because it does not normalise", async () => {
  const llama = await startLlamaCpp()
  const engine = open({ url: llama.url, model: "kev-4b", tokenizer: "engine" })
  expect(engine.maxTokens(checkedRequest("\u0958", noul("q", "late")))).toBe(9)
  expect(llama.requests).toHaveLength(0)
  await llama.stop()
})

it("refuses a count of no token for a text with a letter or a digit, which would be charged nothing", async () => {
  const server = createServer((_, response) => response.end('{"tokens":[]}'))
  const transport = new Transport(await listen(server), null)
  const counter = new TokenCounter(new EngineTokens(transport, "prompt"))
  const count = (state: string | object, instructions: string) =>
    counter.count(checkedRequest(state, noul("q", instructions)), never)
  expect(await count(" \u200b", "\u0007 ")).toEqual({ state: 0, questions: [0] })
  for (const texts of [
    ["it is late", " "],
    [{ a: 1 }, " "],
    [" ", "7"],
    [" ", "é"],
  ] as const)
    await expect(count(texts[0], texts[1])).rejects.toMatchObject({ code: "upstream_error" })
  await transport.close()
})

it.each([
  "[]",
  "[1, 2]",
  "null",
  "3",
  '""',
  "{}",
  '{"tokens":null}',
  '{"tokens":3}',
  '{"tokens":{}}',
  '{"tokens":[]}',
  "",
  "tokens",
])("refuses the answer %s, which has no count: the request is not charged", async (answer) => {
  const server = createServer((request, response) => void request.resume().on("end", () => response.end(answer)))
  const transport = new Transport(await listen(server), null)
  for (const dialect of ["content", "prompt"] as const) {
    const counter = new TokenCounter(new EngineTokens(transport, dialect))
    const counted = counter.count(checkedRequest("abc", noul("q", "d")), never)
    await expect(counted).rejects.toMatchObject({ code: "upstream_error" })
  }
  await transport.close()
})
