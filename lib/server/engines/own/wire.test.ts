import { once } from "node:events"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, test } from "vitest"
import { afterFile } from "@/test/after-file"
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
  const server = createServer(new Wire(FACTS, answerer, { tokenize: () => [] }).handle).listen(0, "127.0.0.1")
  afterFile(() => server.close())
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const call = request({ port, host: "127.0.0.1", method: "POST", path: "/v1/systemone" }).on("error", () => {})
  call.end(BODY)
  const signal = await started
  expect(signal.aborted).toBe(false)
  call.destroy()
  await expect.poll(() => signal.aborted).toBe(true)
  expect((signal.reason as Error).message).toBe("the caller is gone")
})
