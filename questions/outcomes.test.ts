import { describe, expect, test } from "vitest"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { outcomesOf } from "./question-types"

const REQUEST = {
  model: "m",
  state: "My parcel arrived broken.",
  questions: {
    late: { type: "noul", instructions: "Is it late?" },
    team: { type: "choice", criteria: { Billing: null, shipping: null, SHIPPING: null, "tech support": null } },
    anger: { type: "score", criteria: ["calm", "annoyed", "angry"] },
    stars: { type: "score", criteria: ["1", "2", "3"] },
  },
}
const checked = checkRequest(new TextEncoder().encode(JSON.stringify(REQUEST)))
const questions = checked.ok ? checked.request.questions : []

function questionNamed(name: string) {
  const question = questions.find((candidate) => candidate.name === name)
  if (!question) throw new Error(`There is no question "${name}".`)
  return question
}

const indexOf = (name: string, label: string, firstLevel: 0 | 1 = 0) =>
  outcomesOf(questionNamed(name)).indexOf(questionNamed(name), label, firstLevel)

describe("a label names an outcome", () => {
  test.each([
    ["late", "Yes", 1],
    ["late", " TRUE ", 1],
    ["late", "1.0", 1],
    ["late", "n", 0],
    ["late", "0", 0],
    ["late", "maybe", null],
    ["late", "", null],
    ["team", "Billing", 0],
    ["team", "billing", 0],
    ["team", "shipping", 1],
    ["team", "SHIPPING", 2],
    ["team", "Shipping", null],
    ["team", "Tech  support", 3],
    ["team", "legal", null],
    ["anger", "annoyed", 1],
    ["anger", "0", 0],
    ["anger", "2.0", 2],
    ["anger", "level 1", 1],
    ["anger", "3", null],
    ["anger", "-1", null],
    ["anger", "1.5", null],
    ["stars", "1", 0],
  ])("%s: %j is %j", (name, label, index) => {
    expect(indexOf(name, label)).toBe(index)
  })

  test("numbers of levels may start at 1", () => {
    expect([indexOf("anger", "1", 1), indexOf("anger", "3", 1), indexOf("anger", "0", 1)]).toEqual([0, 2, null])
    expect(indexOf("stars", "2", 1)).toBe(1)
  })
})

test.each([
  ["late", { type: "noul", noul: 0.25 }, [0.75, 0.25]],
  ["late", { type: "noul" }, null],
  [
    "team",
    {
      choice: "shipping",
      confidence: 0,
      probabilities: { "tech support": 0.1, SHIPPING: 0.2, shipping: 0.4, Billing: 0.3 },
    },
    [0.3, 0.4, 0.2, 0.1],
  ],
  ["anger", { score: 1, confidence: 0, probabilities: { 0: 0.2, 1: 0.6, 2: 0.2 } }, [0.2, 0.6, 0.2]],
  ["anger", { score: 1, confidence: 0, probabilities: { 0: 0.2, 1: 0.8 } }, null],
])("%s: the probabilities of %j are %j, in the order of the outcomes", (name, answer, probabilities) => {
  const question = questionNamed(name)
  expect(outcomesOf(question).probabilities(question, answer)).toEqual(probabilities)
})

test("outcomes are named as in the request", () => {
  expect(questions.map((question) => outcomesOf(question).names(question))).toEqual([
    ["no", "yes"],
    ["Billing", "shipping", "SHIPPING", "tech support"],
    ["calm", "annoyed", "angry"],
    ["1", "2", "3"],
  ])
})

test("levels have their indexes as keys in an answer, other outcomes their names", () => {
  expect(questions.map((question) => outcomesOf(question).keys(question))).toEqual([
    ["no", "yes"],
    ["Billing", "shipping", "SHIPPING", "tech support"],
    ["0", "1", "2"],
    ["0", "1", "2"],
  ])
})

test.each([
  ["late", [0.5, 0.5], 1],
  ["late", [0.51, 0.49], 0],
  ["team", [0.1, 0.4, 0.4, 0.1], 1],
  ["anger", [0.5, 0.5, 0], 1],
  ["anger", [0.45, 0.1, 0.45], 1],
  ["anger", [0.6, 0.3, 0.1], 1],
])("%s: %j stands for outcome %i", (name, probabilities, index) => {
  expect(outcomesOf(questionNamed(name)).predicted(probabilities)).toBe(index)
})
