import { beforeAll, expect, onTestFinished, test, vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { streamText } from "./stream-text"

beforeAll(() => testRuntime())

async function* pieces(): AsyncGenerator<string> {
  yield "a"
  yield "b"
}

async function* broken(): AsyncGenerator<string> {
  yield "a"
  throw new Error("the database is gone")
}

const read = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()
const refused = { code: "rate_limited", status: 429 }

test("an account can have at most two open downloads, and other accounts are not affected", async () => {
  const [first, second] = [streamText(runtime(), "ada", pieces()), streamText(runtime(), "ada", pieces())]
  expect(() => streamText(runtime(), "ada", pieces())).toThrow(expect.objectContaining(refused))
  expect(await read(streamText(runtime(), "eve", pieces()))).toBe("ab")
  expect(await read(first)).toBe("ab")
  const third = streamText(runtime(), "ada", pieces())
  expect(() => streamText(runtime(), "ada", pieces())).toThrow(expect.objectContaining(refused))
  await Promise.all([read(second), read(third)])
})

test("a download that nobody begins to read, as for a HEAD request, counts for ten seconds", async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  streamText(runtime(), "byron", pieces())
  const slow = streamText(runtime(), "byron", pieces()).getReader()
  await slow.read()
  vi.advanceTimersByTime(9_999)
  expect(() => streamText(runtime(), "byron", pieces())).toThrow(expect.objectContaining(refused))
  vi.advanceTimersByTime(1)
  streamText(runtime(), "byron", pieces())
  // The one that is being read still counts.
  expect(() => streamText(runtime(), "byron", pieces())).toThrow(expect.objectContaining(refused))
})

test("a cancelled or failed download no longer counts", async () => {
  for (let i = 0; i < 5; i++) {
    const left = streamText(runtime(), "lovelace", pieces())
    await left.cancel()
    await left.cancel()
    await expect(read(streamText(runtime(), "lovelace", broken()))).rejects.toThrow("the database is gone")
  }
  expect(
    await Promise.all([
      read(streamText(runtime(), "lovelace", pieces())),
      read(streamText(runtime(), "lovelace", pieces())),
    ]),
  ).toEqual(["ab", "ab"])
})
