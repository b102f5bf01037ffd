import { once } from "node:events"
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { expect, it } from "vitest"
import { orAbort } from "@/lib/server/platform/or-abort"
import { afterFile } from "@/test/after-file"
import { withinMs } from "./within-ms"

/** Echoes what it receives, in a thread of its own, as a database replies while this thread is blocked. */
const ECHO = `
  const { createServer } = require("node:net")
  const server = createServer((socket) => socket.pipe(socket))
  server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port))`

const block = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
const never = new Promise<never>(() => {})

it("a reply that arrived while the process was blocked for longer than the limit is read", async () => {
  const worker = new Worker(ECHO, { eval: true })
  const [port] = await once(worker, "message")
  const socket = connect(port, "127.0.0.1")
  afterFile(() => {
    socket.destroy()
    return worker.terminate()
  })
  await once(socket, "connect")
  const reply = withinMs(1_000, null, (signal) => {
    const reading = once(socket, "data", { signal })
    socket.write("reply", () => block(3_000))
    return reading
  })
  expect(String((await reply)[0])).toBe("reply")
})

it("without a reply it ends after the limit", async () => {
  const startedAt = performance.now()
  const waiting = withinMs(400, null, (signal) => orAbort(never, signal))
  await expect(waiting).rejects.toThrow("the database did not reply in time")
  expect(performance.now() - startedAt).toBeGreaterThan(390)
})

it("it ends with the signal that it is given", async () => {
  const signal = AbortSignal.abort(new Error("the client left"))
  await expect(withinMs(60_000, signal, (own) => orAbort(never, own))).rejects.toThrow("the client left")
})

it("the limit of work that ended does nothing later", async () => {
  let own = AbortSignal.abort()
  await withinMs(80, null, async (signal) => {
    own = signal
  })
  await sleep(200)
  expect(own.aborted).toBe(false)
})
