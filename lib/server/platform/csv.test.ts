import { beforeAll, expect, test } from "vitest"
import { testRuntime } from "@/test/database"
import { streamText } from "./csv"

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

/** Begins a download of an account, and returns a function that reads the rest of it. */
async function begin(accountId: string): Promise<() => Promise<string>> {
  const reader = streamText(accountId, pieces()).getReader()
  await reader.read()
  return async () => {
    const { value } = await reader.read()
    await reader.read()
    return new TextDecoder().decode(value)
  }
}

test("an account has two downloads at once, and other accounts have theirs", async () => {
  const [first, second] = [await begin("ada"), await begin("ada")]
  expect(() => streamText("ada", pieces())).toThrow(expect.objectContaining(refused))
  expect(await read(streamText("eve", pieces()))).toBe("ab")
  expect(await first()).toBe("b")
  const third = await begin("ada")
  expect(() => streamText("ada", pieces())).toThrow(expect.objectContaining(refused))
  expect([await second(), await third()]).toEqual(["b", "b"])
})

test("a download that nobody reads, as for a HEAD request, does not count", async () => {
  for (let i = 0; i < 5; i++) streamText("byron", pieces())
  expect(await read(streamText("byron", pieces()))).toBe("ab")
})

test("of downloads that begin at the same time, the third fails", async () => {
  const streams = [1, 2, 3].map(() => streamText("babbage", pieces()))
  expect(await Promise.allSettled(streams.map(read))).toEqual([
    { status: "fulfilled", value: "ab" },
    { status: "fulfilled", value: "ab" },
    { status: "rejected", reason: expect.objectContaining(refused) },
  ])
})

test("a download that its client left or that failed counts no longer", async () => {
  for (let i = 0; i < 5; i++) {
    const left = streamText("lovelace", pieces()).getReader()
    await left.read()
    await left.cancel()
    await left.cancel()
    await streamText("lovelace", pieces()).cancel()
    await expect(read(streamText("lovelace", broken()))).rejects.toThrow("the database is gone")
  }
  expect(await Promise.all([read(streamText("lovelace", pieces())), read(streamText("lovelace", pieces()))])).toEqual([
    "ab",
    "ab",
  ])
})
