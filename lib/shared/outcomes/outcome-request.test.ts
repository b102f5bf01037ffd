import { describe, expect, it } from "vitest"
import { OutcomeRequest } from "./outcome-request"

const NOUL = { request_id: "req_1", question: "late", type: "noul", predicted: 0.5, outcome: true }
const SCORE = { ...NOUL, type: "score", predicted: { score: 1.5, within_one: 0.75 }, outcome: 2 }

/** Returns the path and message of the first fault; null for a body without one. */
function faultOf(body: unknown): [path: string, message: string] | null {
  const [issue] = OutcomeRequest.safeParse(body).error?.issues ?? []
  return issue ? [issue.path.join("."), issue.message] : null
}

describe("a report of outcomes", () => {
  it("has numbers of every type, and may have times and a share", () => {
    const outcomes = [NOUL, { ...NOUL, type: "choice", at: "2026-11-28T09:30:00+01:00" }, SCORE]
    expect(faultOf({ outcomes, sampled_share: 1 })).toBeNull()
    expect(faultOf({ outcomes: Array.from({ length: 1_000 }, () => NOUL) })).toBeNull()
  })

  it.each([
    ["outcomes", { outcomes: Array.from({ length: 1_001 }, () => NOUL) }],
    ["outcomes.0.predicted", { outcomes: [{ ...NOUL, predicted: 1.000001 }] }],
    ["outcomes.0.predicted.within_one", { outcomes: [{ ...SCORE, predicted: { score: 1, within_one: -0.1 } }] }],
    ["outcomes.0.predicted", { outcomes: [{ ...NOUL, predicted: SCORE.predicted }] }],
    ["outcomes.0.outcome", { outcomes: [{ ...SCORE, outcome: 1.5 }] }],
    ["outcomes.0.type", { outcomes: [{ ...NOUL, type: "box" }] }],
    ["outcomes.0.at", { outcomes: [{ ...NOUL, at: "2026-11-28" }] }],
    ["outcomes.0.question", { outcomes: [{ ...NOUL, question: "" }] }],
    ["outcomes.0.question", { outcomes: [{ ...NOUL, question: "a\nb" }] }],
    ["outcomes.0.question", { outcomes: [{ ...NOUL, question: "\ud800" }] }],
    ["sampled_share", { outcomes: [NOUL], sampled_share: 1.5 }],
  ])("is refused with the path %s", (path, body) => {
    expect(faultOf(body)?.[0]).toBe(path)
  })

  it("has no other field, and the refusal does not repeat its name", () => {
    const onlyThese = "Only these fields are accepted:"
    expect(faultOf({ outcomes: [NOUL], zqmark: 1 })).toEqual(["", `${onlyThese} outcomes, sampled_share.`])
    expect(faultOf({ outcomes: [{ ...NOUL, zqmark: "zqmark" }] })).toEqual([
      "outcomes.0",
      `${onlyThese} request_id, question, at, type, predicted, outcome.`,
    ])
    expect(faultOf({ outcomes: [{ ...SCORE, predicted: { ...SCORE.predicted, zqmark: 1 } }] })).toEqual([
      "outcomes.0.predicted",
      `${onlyThese} score, within_one.`,
    ])
  })
})
