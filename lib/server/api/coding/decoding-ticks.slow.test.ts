import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { afterAll, expect, it } from "vitest"
import { ENCODERS } from "@/test/encode-body"
import { printFigure } from "@/test/figures"
import { createBodyDecoder } from "./body-decoder"
import type { Coding } from "./content-coding"
import { decodeBounded } from "./decode-bounded"

const LIMIT = 29_360_128
const decoder = createBodyDecoder()
afterAll(() => decoder.close())

/** Returns the most processor time that one tick of this thread takes during `work`, in ms. Unlike a delay, it does not depend on load. */
async function longestTickMs(work: () => Promise<unknown>): Promise<number> {
  const onProcessorMs = () => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ", 1)[0]) / 1e6
  let isOver = false
  const ended = work().finally(() => {
    isOver = true
  })
  let longest = 0
  for (let from = onProcessorMs(); !isOver; ) {
    await setImmediate()
    const to = onProcessorMs()
    longest = Math.max(longest, to - from)
    from = to
  }
  await ended
  return longest
}

it.each(Object.entries(ENCODERS))(
  "decoding four bodies of %s takes less than 20 ms of the event loop at a time",
  async (coding, encode) => {
    const body = Buffer.concat([
      Buffer.from(randomBytes(180_000).toString("base64")),
      Buffer.alloc(LIMIT - 240_000, " "),
    ])
    const bodies = Array.from({ length: 4 }, () => encode(body))
    const room = { reserve: async () => {}, shrinkTo: () => {} }
    const longest = await longestTickMs(() =>
      Promise.all(
        bodies.map((encoded) => decoder.decode(coding as Coding, encoded, room, new AbortController().signal)),
      ),
    )
    printFigure(`decoding four bodies of 28 MiB, ${coding}`, { longestTickMs: longest })
    expect(longest).toBeLessThan(20)
  },
)

it("the most frames of zstd that are decoded on this thread take less than 20 ms of the event loop", async () => {
  const empty = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 1, 0, 0])
  const frames = Buffer.concat(Array<Buffer>(7_281).fill(empty))
  expect(await longestTickMs(() => decodeBounded("zstd", frames, 65_536))).toBeLessThan(20)
})
