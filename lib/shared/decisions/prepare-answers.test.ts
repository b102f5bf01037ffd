import { describe, expect, test } from "vitest"
import { JsonText } from "@/lib/shared/json/text"
import { formatPercent } from "@/questions/display"
import type { CheckedQuestion } from "@/questions/question-types"
import { prepareAnswers } from "./answers"
import type { CheckedRequest } from "./check-request"

const string = (text: string) => new JsonText("string", new TextEncoder().encode(JSON.stringify(text)))
const asking = (...questions: CheckedQuestion[]): CheckedRequest => ({ model: "m", state: string("s"), questions })
const choice = (name: string, options: string[]): CheckedQuestion => ({
  type: "choice",
  name,
  instructions: null,
  options: options.map((option) => ({ name: option, description: null })),
})
const score = (name: string, levels: JsonText[]): CheckedQuestion => ({
  type: "score",
  name,
  instructions: null,
  levels,
})
const noul = (name: string): CheckedQuestion => ({ type: "noul", name, instructions: string("?"), criteria: null })

function choiceChart(options: string[], probabilities: string, winner: string) {
  const body = JSON.parse(
    `{"answers":{"q":{"type":"choice","choice":${JSON.stringify(winner)},"confidence":0.5,"probabilities":${probabilities}}}}`,
  )
  const [answer] = prepareAnswers(asking(choice("q", options)), body)
  if (answer?.type !== "choice") throw new Error("not a choice")
  return answer.chart
}

describe("formatPercent", () => {
  test("shows one decimal and never rounds to 0% or 100%", () => {
    expect([0, 0.824, 1, 0.0001, 0.00049, 0.9999, 0.5].map(formatPercent)).toEqual([
      "0.0%",
      "82.4%",
      "100.0%",
      "<0.1%",
      "<0.1%",
      ">99.9%",
      "50.0%",
    ])
  })
})

describe("noul", () => {
  test("keeps the exact number and gives the verdict by the threshold", () => {
    const body = { answers: { refund: { type: "noul", noul: 0.8239123456 } } }
    expect(prepareAnswers(asking(noul("refund")), body)).toEqual([
      {
        name: "refund",
        type: "noul",
        chart: {
          yes: { value: 0.8239123456, exact: "0.8239123456", percent: "82.4%" },
          noPercent: "17.6%",
          threshold: 0.5,
          verdict: "yes",
        },
      },
    ])
  })
})

describe("choice", () => {
  test("is sorted by probability, and ties keep the request's order", () => {
    const chart = choiceChart(["b", "10", "2", "a"], '{"b":0.25,"10":0.25,"2":0.25,"a":0.25}', "b")
    expect(chart.bars.map((bar) => bar.label)).toEqual(["b", "10", "2", "a"])
    const sorted = choiceChart(["low", "high"], '{"low":0.1,"high":0.9}', "high")
    expect(sorted.bars.map((bar) => [bar.label, bar.percent])).toEqual([
      ["high", "90.0%"],
      ["low", "10.0%"],
    ])
  })

  test("reads options named like members of Object", () => {
    const chart = choiceChart(["__proto__", "constructor"], '{"__proto__":0.75,"constructor":0.25}', "__proto__")
    expect(chart.bars.map((bar) => [bar.label, bar.value])).toEqual([
      ["__proto__", 0.75],
      ["constructor", 0.25],
    ])
  })

  test("shows up to twenty options and folds the rest with their sum", () => {
    const names = Array.from({ length: 20 }, (_, i) => `o${i}`)
    const twenty = Object.fromEntries(names.map((name) => [name, 0.05]))
    expect(choiceChart(names, JSON.stringify(twenty), "o0").rest).toBeNull()
    const more = { ...twenty, o18: 0.04, o19: 0.04, late: 0.015, last: 0.005 }
    const chart = choiceChart([...names, "last", "late"], JSON.stringify(more), "o0")
    expect(chart.bars).toHaveLength(20)
    expect(chart.rest?.count).toBe(2)
    expect(chart.rest?.together.percent).toBe("2.0%")
    expect(chart.rest?.bars.map((bar) => bar.label)).toEqual(["late", "last"])
  })

  test("the bar of the most likely option has the whole length", () => {
    const chart = choiceChart(["a", "b", "c"], '{"a":0.1,"b":0.5,"c":0.4}', "b")
    expect(chart.bars.map(({ label, length }) => [label, length])).toEqual([
      ["b", 1],
      ["c", 0.8],
      ["a", 0.2],
    ])
  })
})

describe("score", () => {
  test("bars are in level order with the request's labels, structured ones as JSON source", () => {
    const structured = new JsonText("object", new TextEncoder().encode('{"10":"z","2":"a"}'))
    const body = {
      answers: {
        urgency: { type: "score", score: 1.4375, confidence: 0.6, probabilities: { 0: 0.125, 1: 0.25, 2: 0.5 } },
      },
    }
    const [answer] = prepareAnswers(asking(score("urgency", [string("none"), string("some"), structured])), body)
    expect(answer).toEqual({
      name: "urgency",
      type: "score",
      chart: {
        mean: { value: 1.4375, exact: "1.4375", text: "1.44" },
        confidence: { value: 0.6, exact: "0.6", percent: "60.0%" },
        bars: [
          { level: 0, label: "none", value: 0.125, exact: "0.125", percent: "12.5%", length: 0.25 },
          { level: 1, label: "some", value: 0.25, exact: "0.25", percent: "25.0%", length: 0.5 },
          { level: 2, label: '{"10":"z","2":"a"}', value: 0.5, exact: "0.5", percent: "50.0%", length: 1 },
        ],
        mostLikely: 2,
      },
    })
  })
})

test("answers are in request order, and one that does not fit its question is missing", () => {
  const body = JSON.parse(
    '{"answers":{"10":{"type":"noul","noul":0.1},"b":{"type":"noul","noul":2},"c":{"type":"choice"}}}',
  )
  const prepared = prepareAnswers(asking(noul("c"), noul("b"), noul("10"), noul("toString")), body)
  expect(prepared.map((answer) => [answer.name, answer.type])).toEqual([
    ["c", "missing"],
    ["b", "missing"],
    ["10", "noul"],
    ["toString", "missing"],
  ])
  expect(prepareAnswers(asking(noul("a")), null)).toEqual([{ name: "a", type: "missing" }])
})
