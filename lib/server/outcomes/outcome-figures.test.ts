import { Worker } from "node:worker_threads"
import { afterAll, expect, test } from "vitest"
import { type LiveOutcome, liveFigures } from "@/lib/shared/outcomes/live-figures"
import { seededRandom } from "@/lib/shared/statistics/random"
import { createOutcomeFigures } from "./outcome-figures"

const RULE = { from: 0.8, below: 0.2, targetAbove: 0.05, targetBelow: 0.05 }
const { share } = seededRandom(553)
const OUTCOMES: LiveOutcome[] = Array.from({ length: 4_000 }, (_, at) => {
  const predicted = share()
  return { predicted, happened: share() < predicted, atMs: at * 60_000, sampledShare: null }
})

const figures = createOutcomeFigures()
afterAll(() => figures.close())

test("figures are those that this thread would compute, and it goes on meanwhile", async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const computed = await figures.of(OUTCOMES, RULE)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(3)
  expect(computed).toEqual(liveFigures(OUTCOMES, RULE))
})

test("figures of two pages at a time come one after the other", async () => {
  const [one, other] = await Promise.all([figures.of(OUTCOMES.slice(0, 10), RULE), figures.of(OUTCOMES, RULE)])
  expect(one.steps.reduce((sum, { rows }) => sum + rows, 0)).toBe(10)
  expect(other.steps.reduce((sum, { rows }) => sum + rows, 0)).toBe(4_000)
})

test("a worker that dies rejects its figures, and the next ones get a new worker", async () => {
  let starts = 0
  const dying = createOutcomeFigures(() => {
    starts++
    const program = starts === 1 ? "process.exit(1)" : "parentPort.postMessage('figures')"
    const listen = `const { parentPort } = require("node:worker_threads"); parentPort.on("message", () => { ${program} })`
    return new Worker(listen, { eval: true })
  })
  await expect(dying.of(OUTCOMES.slice(0, 1), RULE)).rejects.toThrow("the worker ended")
  expect(await dying.of(OUTCOMES.slice(0, 1), RULE)).toBe("figures")
  await dying.close()
})
