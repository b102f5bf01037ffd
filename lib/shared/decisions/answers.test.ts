import { describe, expect, test } from "vitest"
import { choiceConfidence } from "@/questions/choice/choice"
import { meanLevel, mostLikely } from "@/questions/probabilities"
import { scoreConfidence } from "@/questions/score/score"
import { checkedRequest, choice, jsonText, noul, score } from "@/test/checked-request"
import { renderAnswers } from "./answers"

describe("confidence and score", () => {
  test("a choice's confidence equals llama.cpp's published 0.9997", () => {
    expect(choiceConfidence([0.9998, 0.0001, 0.0001])).toBeCloseTo(0.9997, 10)
  })

  test("a score and its confidence equal llama.cpp's published 2.0858 and 0.673", () => {
    const published = [0.0023, 0.116, 0.6753, 0.2064]
    expect(scoreConfidence(published)).toBeCloseTo(0.673, 10)
    expect(meanLevel(published)).toBeCloseTo(2.0858, 10)
  })

  test("a single option or level has confidence 1", () => {
    expect(choiceConfidence([1])).toBe(1)
    expect(scoreConfidence([1])).toBe(1)
    expect(meanLevel([1])).toBe(0)
  })

  test("an even split has confidence 0", () => {
    expect(choiceConfidence([0.25, 0.25, 0.25, 0.25])).toBe(0)
    expect(scoreConfidence([0.5, 0, 0.5])).toBe(0)
  })

  test("the first of equally likely options wins", () => {
    expect(mostLikely([0.2, 0.4, 0.4])).toBe(1)
  })

  test("rounding errors never leave the range", () => {
    expect(choiceConfidence([1.0000000000000002, 0])).toBe(1)
    expect(meanLevel([0, 0, 1.0000000000000002])).toBe(2)
  })
})

describe("renderAnswers", () => {
  test("renders each type exactly as specified", () => {
    const request = checkedRequest(
      "s",
      choice("route", "Which team?", ["billing", "shipping"]),
      noul("angry", "Angry?"),
      score("urgency", "How urgent?", ["low", { meaning: "high" }]),
    )
    const text = renderAnswers(
      request,
      [
        { type: "choice", probabilities: [0.75, 0.25] },
        { type: "noul", yes: 0.6328 },
        { type: "score", probabilities: [0.5, 0.5] },
      ],
      "svc-decider-4b-v1-1-api-1",
      42,
    )
    expect(text).toBe(
      '{"model":"svc-decider-4b-v1-1-api-1","answers":{' +
        '"route":{"type":"choice","choice":"billing","confidence":0.5,"probabilities":{"billing":0.75,"shipping":0.25}},' +
        '"angry":{"type":"noul","noul":0.6328},' +
        '"urgency":{"type":"score","score":0.5,"confidence":0,"legend":{"0":"low","1":{"meaning":"high"}},"probabilities":{"0":0.5,"1":0.5}}},' +
        '"usage":{"input_tokens":42,"output_tokens":3}}',
    )
  })

  test("names keep request order, including number-like names and __proto__", () => {
    const request = checkedRequest("s", choice("10", null, ["10", "2", "__proto__"]), choice("2", null, ["a"]))
    const text = renderAnswers(
      request,
      [
        { type: "choice", probabilities: [1, 1, 2] },
        { type: "choice", probabilities: [0.3] },
      ],
      "m",
      0,
    )
    expect(text).toBe(
      '{"model":"m","answers":{"10":{"type":"choice","choice":"__proto__","confidence":0.25,"probabilities":{"10":0.25,"2":0.25,"__proto__":0.5}},' +
        '"2":{"type":"choice","choice":"a","confidence":1,"probabilities":{"a":1}}},"usage":{"input_tokens":0,"output_tokens":2}}',
    )
  })

  test("the legend returns each level's source text", () => {
    const request = checkedRequest("s", score("q", null, [jsonText([0], "[1e400]"), jsonText("", '"\\u0041"')]))
    const text = renderAnswers(request, [{ type: "score", probabilities: [1, 3] }], "m", 1)
    expect(text).toContain('"legend":{"0":[1e400],"1":"\\u0041"},"probabilities":{"0":0.25,"1":0.75}')
  })

  test("probabilities are scaled to sum 1 and not rounded", () => {
    const options = ["a", "b", "c"]
    const text = renderAnswers(
      checkedRequest("s", choice("q", null, options)),
      [{ type: "choice", probabilities: [0.33, 0.33, 0.33] }],
      "m",
      1,
    )
    const { probabilities } = JSON.parse(text).answers.q
    expect(probabilities.a).toBeCloseTo(1 / 3, 15)
    expect(probabilities.a + probabilities.b + probabilities.c).toBeCloseTo(1, 12)
  })

  test.each([
    ["too few answers", []],
    [
      "too many answers",
      [
        { type: "choice", probabilities: [1, 0] },
        { type: "noul", yes: 1 },
      ],
    ],
    ["another type", [{ type: "noul", yes: 1 } as const]],
    ["too few probabilities", [{ type: "choice", probabilities: [1] } as const]],
    ["nothing likely", [{ type: "choice", probabilities: [0, 0] } as const]],
    ["no number", [{ type: "choice", probabilities: [Number.NaN, 1] } as const]],
  ])("raw answers that do not fit the questions are upstream_error: %s", (_, answers) => {
    const request = checkedRequest("s", choice("q", null, ["a", "b"]))
    expect(() => renderAnswers(request, structuredClone(answers) as never, "m", 1)).toThrowError(
      expect.objectContaining({ code: "upstream_error" }),
    )
  })
})
