import { once } from "node:events"
import * as os from "node:os"
import { Worker } from "node:worker_threads"
import { afterEach, describe, expect, it } from "vitest"
import { JsonText } from "@/lib/shared/json/text"
import { refuse } from "@/questions/check-fields"
import { createRequestReader, type RequestReader } from "./read-request"

const readers: RequestReader[] = []
const reader = (startWorker?: () => Worker): RequestReader => {
  const made = createRequestReader(startWorker ? { startWorker, maxWorkers: 2 } : {})
  readers.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(readers.splice(0).map((made) => made.close()))
})

const questions = '"questions":{"q":{"type":"choice","criteria":{"a":{ "b" : 1 },"c":null}}}'
const request = (state: string) => Buffer.from(`{"model":"m","state":${state},${questions}}`)
const large = JSON.stringify("x".repeat(300_000))
/** Starts a worker that refuses every body as invalid JSON, or dies or hangs when the body says so. */
const mortal = () =>
  new Worker(
    `const { parentPort } = require("node:worker_threads")
     parentPort.on("message", (body) => {
       const text = Buffer.from(body).toString()
       if (text.includes("throw")) throw new Error("worker fault")
       if (text.includes("exit")) process.exit(1)
       if (!text.includes("hang")) parentPort.postMessage({ ok: false, fault: "grammar", path: [] })
     })`,
    { eval: true },
  )
const asking = (word: string) => Buffer.from(word + " ".repeat(300_000))

describe("a check in steps", () => {
  it.each([
    ["small", request('"s"')],
    ["large", request(large)],
  ])("of a %s body leaves the thread to others in between", async (_size, body) => {
    let turns = 0
    let next = setImmediate(function count() {
      turns++
      next = setImmediate(count)
    })
    let turnsAtEnd = 0
    const result = await reader().read(body, undefined, function* (root) {
      const turnsBefore = turns
      for (let step = 0; step < 3; step++) {
        for (const began = performance.now(); performance.now() - began < 11; );
        yield
      }
      turnsAtEnd = turns - turnsBefore
      return root.size
    })
    clearImmediate(next)
    expect(result).toEqual({ ok: true, request: 3 })
    expect(turnsAtEnd).toBeGreaterThanOrEqual(2)
  })

  it("is refused by a later step", async () => {
    const result = await reader().read(request('"s"'), undefined, function* () {
      yield
      return refuse(["state"], "No.")
    })
    expect(result).toEqual({ ok: false, param: "state", path: ["state"], message: "No." })
  })
})

describe("a large body", () => {
  it("gives the same request as a small body, with compact texts", async () => {
    const state = `{ "a" : [ 1, ${large} ] , "10" : 1e400 }`
    const result = await reader().read(request(state))
    if (!result.ok) throw new Error(result.param)
    expect(result.request.state.json()).toBe(`{"a":[1,${large}],"10":1e400}`)
    const [question] = result.request.questions
    expect(
      question?.type === "choice" &&
        question.options.map(({ name, description }) => [name, description?.json() ?? null]),
    ).toEqual([
      ["a", '{"b":1}'],
      ["c", null],
    ])
  })

  it("has its lengths measured in the worker", async () => {
    const read = async (state: string) => {
      const result = await reader().read(request(state))
      if (!result.ok) throw new Error(result.param)
      const text = result.request.state
      const untouched = new JsonText(text.kind, new Uint8Array(text.source))
      text.source.fill(0)
      expect([text.textBytes(), text.quotedBytes()]).toEqual([untouched.textBytes(), untouched.quotedBytes()])
      return text.textBytes()
    }
    expect(await read(` "\\n\\ud83d\\ude00${"x".repeat(300_000)}"`)).toBe(300_005)
    expect(await read(`{ "a" : ${large} }`)).toBe(300_008)
  })

  it("is refused with the same param as a small body", async () => {
    const one = reader()
    expect(await one.read(request(`[${large},`))).toEqual({
      ok: false,
      param: "body",
      path: [],
      message: "The body is not valid JSON.",
    })
    expect(await one.read(request(`{"a":1,"a":${large}}`))).toMatchObject({ ok: false, param: "state" })
    expect(await one.read(Buffer.from(`{"model":"m","extra":${large}}`))).toMatchObject({ ok: false, param: "extra" })
  })

  it("is moved, not copied, when it owns its memory", async () => {
    const own = request(large)
    await reader().read(own)
    expect(own.length).toBe(0)
    const shared = Buffer.concat([Buffer.from("  "), request(large)]).subarray(2)
    await reader().read(shared)
    expect(shared.toString()).toBe(request(large).toString())
  })

  it("waits for a worker when all are busy", async () => {
    const one = reader()
    const results = await Promise.all(Array.from({ length: 7 }, (_, i) => one.read(request(`[${i},${large}]`))))
    const starts = results.map((result) => result.ok && result.request.state.json().slice(0, 3))
    expect(starts.join(" ")).toBe("[0, [1, [2, [3, [4, [5, [6,")
  })
})

describe("a worker", () => {
  it("starts only for a large body, and at most two run", async () => {
    let started = 0
    const one = reader(() => {
      started++
      return mortal()
    })
    await one.read(request('"small"'))
    expect(started).toBe(0)
    await Promise.all(Array.from({ length: 5 }, () => one.read(asking("x"))))
    expect(started).toBe(2)
    await one.read(asking("x"))
    expect(started).toBe(2)
  })

  it.runIf(process.platform === "linux")("has a lower priority than the thread that answers", async () => {
    const source = new URL("./json-worker.ts", import.meta.url).href
    const worker = new Worker(
      `import("tsx/esm/api")
         .then(({ register }) => (register(), import(${JSON.stringify(source)})))
         .then(() => require("node:worker_threads").parentPort.postMessage(require("node:os").getPriority()))`,
      { eval: true },
    )
    // On Linux the priority of process 0 is that of the calling thread.
    expect(await once(worker, "message")).toEqual([10])
    expect(os.getPriority()).toBe(0)
    await worker.terminate()
  })

  it.each(["throw", "exit"])(
    "that dies by %s rejects only its own body, and the next body gets a new worker",
    async (word) => {
      const one = reader(mortal)
      const refused = { ok: false, param: "body" }
      const results = await Promise.allSettled([word, "x", word, "x", "x"].map((text) => one.read(asking(text))))
      const statuses = results.map(({ status }) => status)
      expect(statuses.join(" ")).toBe("rejected fulfilled rejected fulfilled fulfilled")
      expect(await one.read(asking("x"))).toMatchObject(refused)
    },
  )

  it("that cannot start rejects, and the next body starts one again", async () => {
    let tries = 0
    const one = reader(() => {
      if (tries++ === 0) throw new Error("no thread")
      return mortal()
    })
    await expect(one.read(asking("x"))).rejects.toThrow("no thread")
    expect(await one.read(asking("x"))).toMatchObject({ ok: false, param: "body" })
  })

  it("ends when the reader closes, and current, waiting and later bodies reject", async () => {
    const one = reader(mortal)
    const pending = Promise.allSettled(Array.from({ length: 3 }, () => one.read(asking("hang"))))
    await one.close()
    expect((await pending).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"])
    await expect(one.read(asking("x"))).rejects.toThrow("closed")
  })
})
