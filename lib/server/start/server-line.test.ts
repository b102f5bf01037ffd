import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { type Question, ServerLine } from "./server-line"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test("each question gets its own answer, in any order", async () => {
  const sent: [number, Question][] = []
  const line = new ServerLine((id, question) => sent.push([id, question]))
  const answers = Promise.all([line.ask({ name: "state" }), line.ask({ name: "probe", modelId: "a" })])
  expect(sent).toEqual([
    [1, { name: "state" }],
    [2, { name: "probe", modelId: "a" }],
  ])
  line.receive({ id: 2, value: { available: true } })
  line.receive({ id: 3, value: "nobody asked" })
  line.receive({ id: 1, value: { pid: 7 } })
  expect(await answers).toEqual([{ pid: 7 }, { available: true }])
})

test("a question fails when the server cannot answer it, or not within 20 s", async () => {
  const line = new ServerLine(() => {})
  const failed = expect(line.ask({ name: "state" })).rejects.toThrow("the server could not answer")
  line.receive({ id: 1 })
  await failed
  const late = expect(line.ask({ name: "state" })).rejects.toThrow("the server did not answer in time")
  await vi.advanceTimersByTimeAsync(20_000)
  await late
  line.receive({ id: 2, value: "late" })
})
