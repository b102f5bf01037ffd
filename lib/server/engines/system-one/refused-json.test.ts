import { expect, test } from "vitest"
import { checkedRequest, jsonText, noul, score } from "@/test/checked-request"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { engineOpener } from "@/test/open-engine"
import { hasPlainNumbers } from "./plain-numbers"

const never = new AbortController().signal
const open = engineOpener()
const raw = (source: string) => jsonText(source.startsWith("[") ? [] : {}, source)
const nested = (levels: number) => raw(`${"[".repeat(levels)}"x"${"]".repeat(levels)}`)

test.each([
  ["llama.cpp", false],
  ["llama.cpp's stricter variant", true],
])("a number that the parser of %s refuses reaches it as text", async (_, isStrictVariant) => {
  const { engine, double } = await open(startLlamaCpp({ isStrictVariant }))
  const huge = raw('{"limit":1e400}')
  const request = checkedRequest("s", { ...noul("n", null), instructions: huge }, score("s", "How?", ["low", huge]))
  expect(await engine.answer(request, never)).toHaveLength(2)
  const sent = double.requests.findLast(({ path }) => path === "/v1/systemone")
  expect(sent?.body).toContain('"instructions":"{\\"limit\\":1e400}"')
})

test("nesting over an engine's limit is 400 without a param", async () => {
  const { engine } = await open(startLlamaCpp({ isStrictVariant: true }))
  const request = checkedRequest("s", { ...noul("n", null), instructions: nested(60) })
  await expect(engine.answer(request, never)).rejects.toMatchObject({ code: "invalid_request", param: undefined })
})

test.each([
  ['{"a":1e400}', false],
  ["[-1E+309]", false],
  [`[${"9".repeat(310)}]`, false],
  ["[1.8e308]", false],
  ["[1.7e308,1e-400,-0.0,12345678901234567890]", true],
  ['{"text":"1e400 \\" 1e400"}', true],
  ['{"1e400":1}', true],
  ['["9e999",1]', true],
])("the numbers of %s are plain: %s", (source, expected) => {
  expect(hasPlainNumbers(raw(source))).toBe(expected)
})
