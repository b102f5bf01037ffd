import { once } from "node:events"
import * as http from "node:http"
import { expect, it, onTestFinished } from "vitest"
import { listen } from "@/test/listen"
import { OWN_ENGINE_URL } from "../own-engine-url"
import { Transport } from "./transport"

const SPARE_BYTES = 1_048_576

async function transportTo(listener: http.RequestListener): Promise<Transport> {
  const transport = new Transport(await listen(http.createServer(listener)), null)
  onTestFinished(() => transport.close())
  return transport
}

const get = (transport: Transport, signal = new AbortController().signal) => transport.call("GET", "/", null, signal)

it("reads a complete body of the allowed size and not a byte more", async () => {
  let bytes = SPARE_BYTES
  const transport = await transportTo((_, response) => void response.end("x".repeat(bytes)))
  expect((await get(transport)).text).toHaveLength(SPARE_BYTES)
  bytes++
  await expect(get(transport)).rejects.toMatchObject({ code: "upstream_error" })
})

it("skips interim responses, and returns the status and retry-after of the real one", async () => {
  const transport = await transportTo((_, response) => {
    response.writeEarlyHints({ link: "</x>; rel=preload" })
    response.writeHead(503, { "retry-after": "7" }).end("later")
  })
  expect(await get(transport)).toEqual({ status: 503, retryAfter: "7", text: "later" })
})

it("rejects when a body ends before its declared length", async () => {
  const transport = await transportTo((_, response) => {
    response.writeHead(200, { "content-length": "10" })
    response.write("12345", () => response.destroy())
  })
  await expect(get(transport)).rejects.toMatchObject({ code: "model_unavailable" })
})

it("rejects with the abort's reason while it waits for a response, and closes that connection", async () => {
  const abort = new AbortController()
  const reason = new Error("the client left")
  let isClosed = Promise.resolve<unknown>(null)
  const transport = await transportTo((request) => {
    isClosed = once(request.socket, "close")
    abort.abort(reason)
  })
  await expect(get(transport, abort.signal)).rejects.toBe(reason)
  await isClosed
})

it("says that a process does not run the model of its own engine", async () => {
  const transport = new Transport(OWN_ENGINE_URL, null)
  onTestFinished(() => transport.close())
  await expect(get(transport)).rejects.toMatchObject({
    code: "model_unavailable",
    cause: { message: "this process does not run the model" },
  })
})
