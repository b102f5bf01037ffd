import { setTimeout as sleep } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { checkedRequest, noul } from "@/test/checked-request"
import { tinyFiles } from "@/test/tiny-tokenizer"
import { TokenCounter } from "./token-counter"
import { fingerprintOf } from "./tokenizer-files"
import { MAX_TEXT_BYTES, Tokenizers } from "./tokenizers"

const never = new AbortController().signal
/** Counting one word of this length takes many seconds. */
const WORD = "the".repeat(MAX_TEXT_BYTES / 3)
/** Too long for the thread of short texts. Counts are remembered, so each text is used once. */
const long = (letter: string) => `${letter} charge `.repeat(3_000)

const files = tinyFiles()
const counter = new TokenCounter(new Tokenizers(async () => files).use(fingerprintOf(files)))
// Both threads are open before the first test.
beforeAll(() => Promise.all([count("the"), count(long("the"))]))
afterEach(() => vi.restoreAllMocks())

const count = async (text: string, accountId = "a", signal = never): Promise<number> =>
  (await counter.count(checkedRequest(text, noul("q", null, {})), signal, { accountId })).state

describe("accounts that count at the same time", () => {
  it("take turns, so that one with many texts delays another by two of them", async () => {
    const done: string[] = []
    const named = (name: string, text: string, accountId: string) => count(text, accountId).then(() => done.push(name))
    const many = ["busy 1", "busy 2", "busy 3", "busy 4"].map((name) => named(name, `${name} x`.repeat(100), "busy"))
    await Promise.all([...many, named("other", "charge", "other")])
    expect(done).toEqual(["busy 1", "busy 2", "other", "busy 3", "busy 4"])
  })

  it("take turns for each long text of a request", async () => {
    const done: string[] = []
    const questions = [..."abcdef"].map((letter, i) => noul(`q${i}`, long(letter)))
    const busy = counter
      .count(checkedRequest(long("x"), ...questions), never, { accountId: "busy" })
      .then(() => done.push("busy"))
    await Promise.all([busy, count(long("y"), "other").then(() => done.push("other"))])
    expect(done).toEqual(["other", "busy"])
  })

  it("do not wait with a short text for another's long one", async () => {
    const abort = new AbortController()
    let isDone = false
    const busy = count(WORD, "busy", abort.signal).finally(() => {
      isDone = true
    })
    busy.catch(() => {})
    await sleep(300)
    expect(await count("charge charge", "other")).toBe(2)
    expect(isDone).toBe(false)
    abort.abort(new Error("gone"))
    await expect(busy).rejects.toThrow("gone")
  })
})

describe("a count", () => {
  it("ends with its request, and an aborted count does not delay the next for long", async () => {
    const abort = new AbortController()
    const aborted = count(WORD, "a", abort.signal)
    const next = count(long("g"))
    aborted.catch(() => {})
    await sleep(300)
    // How long a new worker takes to start depends on the machine, so only the end of the old one is checked.
    const terminated = vi.spyOn(Worker.prototype, "terminate")
    abort.abort(new Error("gone"))
    await expect(aborted).rejects.toThrow("gone")
    expect(await next).toBe(9_000)
    expect(terminated).toHaveBeenCalledTimes(1)
  })

  it("that is aborted while it waits is never begun", async () => {
    const abort = new AbortController()
    const posted = vi.spyOn(Worker.prototype, "postMessage")
    const first = count(long("h"))
    const aborted = count(long("i"), "a", abort.signal)
    const last = count(long("j"))
    abort.abort(new Error("gone"))
    await expect(aborted).rejects.toThrow("gone")
    expect(await Promise.all([first, last])).toEqual([9_000, 9_000])
    expect(posted).toHaveBeenCalledTimes(2)
  })

  it("fails when the worker dies, and the next one gets another worker", async () => {
    vi.spyOn(Worker.prototype, "postMessage").mockImplementationOnce(function (this: Worker) {
      void this.terminate()
    })
    const [first, next] = await Promise.allSettled([count("the charge"), count("twice")])
    expect(first).toMatchObject({ status: "rejected", reason: { code: "upstream_error" } })
    expect(next).toEqual({ status: "fulfilled", value: 1 })
  })

  it("is refused when the tokenizer closes, whether it runs or waits", async () => {
    const counts = Promise.allSettled([count(WORD), count(long("k"))])
    await sleep(100)
    await counter.close()
    const refused = { status: "rejected", reason: { code: "model_unavailable" } }
    expect(await counts).toMatchObject([refused, refused])
  })
})
