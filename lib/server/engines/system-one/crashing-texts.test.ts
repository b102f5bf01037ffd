import { expect, test, vi } from "vitest"
import { checkedRequest, choice, jsonText, noul } from "@/test/checked-request"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { engineOpener } from "@/test/open-engine"

const never = new AbortController().signal
const open = engineOpener()
const run = `<|${"a".repeat(50_000)}`
const escaped = (source: string) => jsonText([], `["${source}"]`)

test.each([
  ["the state", checkedRequest(run, noul("q", "Is it?"))],
  [
    "a state with escapes",
    { ...checkedRequest("s", noul("q", "Is it?")), state: escaped(`\\u003c|${"\\u0061".repeat(50_000)}`) },
  ],
  ["instructions", checkedRequest("s", noul("q", { ask: [run] }))],
  ["a description", checkedRequest("s", choice("q", "Which?", [["a", run], "b"]))],
])("a text that crashes early llama.cpp builds is 400 and not sent: in %s", async (_, request) => {
  const { engine, double, calls } = await open(startLlamaCpp({ isEarlyKev: true }))
  await expect(engine.answer(request, never)).rejects.toMatchObject({ code: "invalid_request", param: undefined })
  expect(calls()).toHaveLength(0)
  // The engine still answers, and shorter runs reach it.
  const short = checkedRequest(`<|${"a".repeat(8_192)}`, noul("q", "Is it?"))
  expect(await engine.answer(short, never)).toHaveLength(1)
  expect(double.lastAnswer).not.toBe("")
})

test("a state over the input limit is refused before its text is searched", async () => {
  const { engine, calls } = await open(startLlamaCpp({ isEarlyKev: true }), { inputLimit: 16_384 })
  const search = vi.spyOn(Buffer.prototype, "includes")
  const request = { ...checkedRequest("s", noul("q", "Is it?")), state: escaped("\\u00e9 ".repeat(300_000)) }
  await expect(engine.answer(request, never)).rejects.toMatchObject({ code: "invalid_request" })
  expect(search).not.toHaveBeenCalled()
  search.mockRestore()
  expect(calls()).toHaveLength(0)
})
