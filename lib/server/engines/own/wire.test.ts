import { createServer, request } from "node:http"
import { expect, test } from "vitest"
import { listen } from "@/test/listen"
import type { Answerer } from "./answerer"
import { Wire } from "./wire"

const BODY = JSON.stringify({ model: "m", state: "s", questions: { q: { type: "noul", instructions: "?" } } })
const FACTS = { served: "tiny", build: "b", file: "tiny.gguf", contextTokens: 512, meta: {} }

test("the computation is aborted when the caller closes its connection", { timeout: 60_000 }, async () => {
  let start: (signal: AbortSignal) => void = () => {}
  const started = new Promise<AbortSignal>((resolve) => {
    start = resolve
  })
  const answerer: Answerer = {
    answer: (_, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason))
        start(signal)
      }),
  }
  const url = await listen(createServer(new Wire(FACTS, answerer, { tokenize: () => [] }).handle))
  const call = request(`${url}/v1/systemone`, { method: "POST" }).on("error", () => {})
  call.end(BODY)
  const signal = await started
  expect(signal.aborted).toBe(false)
  call.destroy()
  await expect.poll(() => signal.aborted).toBe(true)
  expect((signal.reason as Error).message).toBe("the caller is gone")
})
