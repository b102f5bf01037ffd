import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { type LiveOutcome, liveFigures } from "@/lib/shared/outcomes/live-figures"
import type { QuestionTypeName } from "@/questions/question-types"
import { LiveQuestion } from "./live-question"

const AT_MS = Date.parse("2026-11-24T12:00:00Z")
const outcome = (predicted: number, happened: boolean): LiveOutcome => ({
  ...{ predicted, happened, atMs: AT_MS, sampledShare: null },
})
const repeat = (count: number, one: LiveOutcome) => Array.from({ length: count }, () => one)

/** Renders the figures of a question, and returns their text. */
function shown(
  outcomes: LiveOutcome[],
  { type = "noul" as QuestionTypeName, from = 0.9 as number | null } = {},
): string {
  const chosen = { question: "late", type, model: "m-1" }
  const rule = { from, below: type === "noul" && from !== null ? 0.1 : null, targetAbove: 0.05, targetBelow: 0.05 }
  const search = { range: { days: 30 }, chosen, rule }
  const html = renderToStaticMarkup(
    <LiveQuestion
      chosen={chosen}
      search={search}
      count={outcomes.length}
      figures={liveFigures(outcomes, rule)}
      isCut={false}
      answers={4_300}
    />,
  )
  return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")
}

test("the page says how many answers have an outcome, and the interval of each rate", () => {
  const text = shown([...repeat(95, outcome(0.95, true)), ...repeat(5, outcome(0.95, false))])
  expect(text).toContain("Outcomes 100")
  expect(text).toContain("4,300")
  expect(text).toContain("5.0%")
  expect(text).toMatch(/0\.\d% to 1\d\.\d%/)
  expect(text).toContain("95% sure for days and thresholds that you chose before you saw their outcomes")
})

test("a choice has one threshold and no side of no", () => {
  const text = shown(repeat(10, outcome(0.95, true)), { type: "choice" })
  expect(text).toContain("Accepted from")
  expect(text).not.toContain("No below")
  expect(text).not.toContain("Automatic yes")
})

test("without thresholds, the page asks for them", () => {
  expect(shown(repeat(10, outcome(0.95, true)), { from: null })).toContain(
    "Enter the thresholds that your program uses",
  )
})
