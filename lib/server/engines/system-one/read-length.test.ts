import { describe, expect, test } from "vitest"
import { checkedRequest, noul } from "@/test/checked-request"
import { startOllaya } from "@/test/doubles/ollaya"
import { engineOpener } from "@/test/open-engine"
import { ABOUT_LENGTH, findReadLength, lettersWith } from "./read-length"
import type { Reply } from "./response"

const open = engineOpener()
const never = new AbortController().signal

const replyOf = (p: number): Reply => ({
  answers: [{ type: "choice", probabilities: [p, (1 - p) / 2, (1 - p) / 2] }],
  labels: [],
  model: null,
  inputTokens: null,
})

/** An engine that reads these parts of a text's tokens and refuses longer texts. Its answers vary by `noise`. */
function reading(keep: (tokens: string[]) => string[], { most = Number.POSITIVE_INFINITY, noise = 0 } = {}) {
  let asked = 0
  return findReadLength(async (text) => {
    const tokens = text.split(" ")
    if (tokens.length > most) return null
    const kept = keep(tokens)
    const digits = kept.filter((token) => /\d/.test(token)).length
    return replyOf(0.1 + (0.5 * digits) / kept.length + noise * ((asked++ * 0.618) % 1))
  })
}

describe("the length that an engine reads", () => {
  test.each([512, 700, 4_000, 14_000])(
    "is at most the %i tokens of its beginning, and at least 5/6 of them",
    async (max) => {
      const found = await reading((tokens) => tokens.slice(0, max))
      expect(found).toBeLessThanOrEqual(max)
      expect(found).toBeGreaterThanOrEqual((max * 5) / 6)
    },
  )

  test.each<[string, (tokens: string[]) => string[]]>([
    ["its end", (tokens) => tokens.slice(-512)],
    [
      "its beginning and its end",
      (tokens) => (tokens.length > 512 ? [...tokens.slice(0, 256), ...tokens.slice(-256)] : tokens),
    ],
  ])("is also found for an engine that keeps %s", async (_, keep) => {
    const found = await reading(keep)
    expect(found).toBeLessThanOrEqual(512)
    expect(found).toBeGreaterThan(400)
  })

  test("is all of it for an engine that reads the published limit, or refuses longer texts", async () => {
    expect(await reading((tokens) => tokens)).toBe("all")
    expect(await reading((tokens) => tokens, { most: 500 })).toBe("all")
  })

  test("is found in spite of noise", async () => {
    expect(await reading((tokens) => tokens, { noise: 1e-3 })).toBe("all")
    expect(await reading((tokens) => tokens.slice(0, 512), { noise: 1e-3 })).toBeLessThanOrEqual(512)
  })

  test("is unknown for a model with one answer about everything, and for an engine that refuses all texts", async () => {
    expect(await findReadLength(async () => replyOf(0.5))).toBeNull()
    expect(await findReadLength(async () => null)).toBeNull()
  })
})

test("the texts of a probe differ in one tenth only, and each sign is a token of its own", () => {
  const [plain, end] = [lettersWith(null, 100), lettersWith(9, 100)].map((text) => text.split(" "))
  expect(plain?.slice(0, 90)).toEqual(end?.slice(0, 90))
  expect(plain?.join("")).toMatch(/^[a-z]{100}$/)
  expect(end?.slice(90).join("")).toMatch(/^[0-9]{10}$/)
})

describe("a probe of an engine without a known context", () => {
  const asks = (body: string) => body.includes(ABOUT_LENGTH.name)

  test("asks about long texts once, and pins what it found", async () => {
    const { double, engine, found } = await open(startOllaya({ cutsAt: 512 }), { model: "laya" })
    expect(found.facts?.reads).toBeGreaterThan(420)
    const asked = double.requests.filter(({ body }) => asks(body)).length
    expect((await engine.probe(never)).facts?.reads).toBe(found.facts?.reads)
    expect(double.requests.filter(({ body }) => asks(body))).toHaveLength(asked)
    const again = await open(startOllaya({ cutsAt: 512 }), { model: "laya", reads: 450 })
    expect(again.double.requests.filter(({ body }) => asks(body))).toHaveLength(0)
  })

  test("says that the context is unknown until then, and does not promise a refusal", async () => {
    const { found } = await open(startOllaya({ cutsAt: 0 }), { model: "laya" })
    expect(found.findings?.find(({ name }) => name === "context")).toMatchObject({
      value: "unknown",
      meaning: expect.stringContaining("may cut long input"),
    })
  })

  test("without a tokenizer, refuses more bytes than the engine reads tokens", async () => {
    const { engine, double } = await open(startOllaya({ cutsAt: 512 }), {
      model: "laya",
      reads: 450,
      tokenizer: "bytes-4",
    })
    const long = (bytes: number) => engine.answer(checkedRequest("1".repeat(bytes), noul("q", "Is it?")), never)
    expect(await long(444)).toHaveLength(1)
    const before = double.requests.length
    await expect(long(445)).rejects.toMatchObject({ code: "invalid_request", param: undefined })
    expect(double.requests).toHaveLength(before)
  })
})
