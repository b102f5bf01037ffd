import { createServer } from "node:http"
import { setTimeout as delay } from "node:timers/promises"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import type { Authorize } from "@/lib/server/platform/authority"
import { checkedRequest, noul } from "@/test/checked-request"
import { startVllm } from "@/test/doubles/vllm"
import { listen } from "@/test/listen"
import { labelsOpener } from "@/test/open-labels"
import type { Engine } from "./engine"
import { VllmDialect } from "./labels/vllm"
import { SystemOneEngine } from "./system-one/system-one-engine"

const openLabels = labelsOpener()

/** Calls to an engine's `/tokenize` that run until the test ends them. */
class HeldCalls {
  /** The texts of all calls, in the order of their arrival. */
  readonly texts: string[] = []
  readonly #running: (() => void)[] = []
  #isOpen = false

  async run(text: string): Promise<number[]> {
    this.texts.push(text)
    if (!this.#isOpen) await new Promise<void>((resolve) => this.#running.push(resolve))
    return [1]
  }

  endFirst(): void {
    this.#running.shift()?.()
  }

  endAll(): void {
    this.#isOpen = true
    for (const end of this.#running.splice(0)) end()
  }
}

async function decisionEngine(held: HeldCalls): Promise<Engine> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { prompt } = JSON.parse(Buffer.concat(chunks).toString())
    response.end(JSON.stringify({ tokens: await held.run(prompt) }))
  })
  const engine = new SystemOneEngine({
    url: await listen(server),
    model: "m",
    tokenizer: "engine-prompt",
    apiKey: null,
  })
  onTestFinished(async () => {
    // Otherwise the engine waits for the calls that a failed test left.
    held.endAll()
    await engine.close()
  })
  return engine
}

async function labelsEngine(held: HeldCalls): Promise<Engine> {
  const { engine } = await openLabels(startVllm())
  const spy = vi.spyOn(VllmDialect.prototype, "clientIds")
  spy.mockImplementation((text) => held.run(typeof text === "string" ? text : text.text()))
  onTestFinished(() => {
    held.endAll()
    spy.mockRestore()
  })
  return engine
}

describe.each([
  ["an engine with a decision route", decisionEngine],
  ["an engine that is read by labels", labelsEngine],
])("texts that %s counts", (_, start) => {
  async function counting() {
    const held = new HeldCalls()
    const engine = await start(held)
    const count = (
      accountId: string,
      state: string,
      more: string[] = [],
      { signal } = new AbortController(),
      authorize?: Authorize,
    ) => {
      const questions = more.map((text, i) => noul(`q${i}`, text))
      return engine.countTokens(checkedRequest(state, noul("q", null), ...questions), signal, { accountId, authorize })
    }
    const arrived = (calls: number) => expect.poll(() => held.texts.length).toBe(calls)
    return { held, count, arrived }
  }

  test("of one account delay another's by the running calls and one more", async () => {
    const { held, count, arrived } = await counting()
    const busy = Array.from({ length: 10 }, (_, i) => count("busy", `${i}`, [`${i} a`, `${i} b`, `${i} c`]))
    await arrived(16)
    const other = count("other", "the other's text")
    await delay(50)
    expect(held.texts).toHaveLength(16)
    held.endFirst()
    await arrived(17)
    held.endFirst()
    await arrived(18)
    expect(held.texts.indexOf("the other's text")).toBe(17)
    held.endAll()
    expect(await other).toEqual({ state: 1, questions: [0] })
    expect(await Promise.all(busy)).toEqual(Array(10).fill({ state: 1, questions: [0, 1, 1, 1] }))
  })

  test("and that are long run two at a time, and no short one waits for them", async () => {
    const { held, count, arrived } = await counting()
    const long = ["a", "b", "c"].map((letter) => count("busy", letter.repeat(65_537)))
    await arrived(2)
    const other = count("other", "short")
    await arrived(3)
    expect(held.texts[2]).toBe("short")
    held.endAll()
    expect(await Promise.all([...long, other])).toEqual(Array(4).fill({ state: 1, questions: [0] }))
  })

  test("stop waiting when their request is aborted", async () => {
    const { held, count, arrived } = await counting()
    const busy = Array.from({ length: 16 }, (_, i) => count("busy", `${i}`))
    await arrived(16)
    const abort = new AbortController()
    const aborted = count("other", "aborted", [], abort)
    abort.abort(new Error("gone"))
    await expect(aborted).rejects.toThrow("gone")
    held.endAll()
    await Promise.all(busy)
    expect(held.texts).toHaveLength(16)
  })

  test("are not sent for a caller whose authority ended while they waited", async () => {
    const { held, count, arrived } = await counting()
    const busy = Array.from({ length: 16 }, (_, i) => count("busy", `${i}`))
    await arrived(16)
    let isEnded = false
    const authorize = async () => {
      if (isEnded) throw new Error("ended")
    }
    const ended = count("other", "of an ended key", ["a", "b"], undefined, authorize)
    isEnded = true
    held.endAll()
    await expect(ended).rejects.toThrow("ended")
    await Promise.all(busy)
    expect(held.texts).toHaveLength(16)
  })
})
