import { expect, test } from "vitest"
import type { NativeContext, NativeSequence } from "./native"
import { StateCache } from "./state-cache"

const NEVER = new AbortController().signal
const tokens = (count: number, first = 0): number[] => Array.from({ length: count }, (_, i) => first + i)

/** A double of a sequence that records the length of each computed part, and waits in `onPart` after each. */
class FakeSequence {
  parts: number[] = []
  onPart = async (): Promise<void> => {}
  tokenMeter = { usedInputTokens: 0 }
  #held: number[] = []

  get nextTokenIndex(): number {
    return this.#held.length
  }

  compareContextTokens(prompt: readonly number[]): { firstDifferentIndex: number } {
    const different = this.#held.findIndex((token, i) => token !== prompt[i])
    return { firstDifferentIndex: different === -1 ? this.#held.length : different }
  }

  async adaptStateToTokens(prompt: readonly number[]): Promise<void> {
    this.#held = this.#held.slice(0, this.compareContextTokens(prompt).firstDifferentIndex)
  }

  async evaluateWithoutGeneratingNewTokens(part: readonly number[]): Promise<void> {
    this.parts.push(part.length)
    this.tokenMeter.usedInputTokens += part.length
    this.#held.push(...part)
    await this.onPart()
  }

  async controlledEvaluate(part: (number | [number, unknown])[]): Promise<unknown[]> {
    await this.evaluateWithoutGeneratingNewTokens(part.map((one) => (typeof one === "number" ? one : one[0])))
    return [{ next: { logits: new Map([[1, 0.5]]), totalLogitWeight: 1 } }]
  }

  async takeCheckpoint(): Promise<void> {}
}

function openCache() {
  const sequence = new FakeSequence()
  const context = { getSequence: () => sequence as unknown as NativeSequence } as unknown as NativeContext
  return { sequence, cache: new StateCache(context, 1, 10_000) }
}

test("a caller that leaves stops its computation after the running part, and the next caller gets the sequence", async () => {
  const { sequence, cache } = openCache()
  const prompt = tokens(2_000)
  const caller = new AbortController()
  const lease = await cache.lease(prompt, caller.signal)
  sequence.onPart = async () => void (sequence.parts.length === 2 && caller.abort(new Error("the caller is gone")))
  const read = { prompt, labels: [1], stateTokens: 1_900 }
  await expect(lease.read(read, caller.signal)).rejects.toThrow("the caller is gone")
  expect(sequence.parts).toEqual([256, 256])
  expect(lease.computed).toBe(512)

  const next = cache.lease(prompt, NEVER)
  lease.release()
  await (await next).read(read, NEVER)
  // What the first caller computed is kept: 1,388 tokens of the state are missing, then the last 100 share one part.
  expect(sequence.parts.slice(2)).toEqual([256, 256, 256, 256, 256, 108, 100])
})

test("a caller that leaves while it waits gives up its place", async () => {
  const { cache } = openCache()
  const lease = await cache.lease(tokens(10), NEVER)
  const caller = new AbortController()
  const waiting = cache.lease(tokens(10), caller.signal)
  const after = cache.lease(tokens(10), NEVER)
  caller.abort(new Error("the caller is gone"))
  await expect(waiting).rejects.toThrow("the caller is gone")
  lease.release()
  await expect(after).resolves.toMatchObject({ computed: 0 })
})
