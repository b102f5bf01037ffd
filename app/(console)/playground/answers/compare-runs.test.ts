import { expect, test } from "vitest"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { type Outcome, readOutcome } from "@/lib/shared/runs/read-outcome"
import { compareAnswers, compareFigures } from "./compare-runs"

function outcome(state: string, yes: number, extra = ""): Outcome {
  const requestText = `{"model":"m","state":${JSON.stringify(state)},"questions":{"__proto__":{"type":"noul","instructions":"x"},"team":{"type":"choice","criteria":{"a":null,"b":null}}${extra}}}`
  const checked = checkRequest(new TextEncoder().encode(requestText))
  if (!checked.ok) throw new Error(checked.message)
  const choice = yes > 0.5 ? "a" : "b"
  const responseText = `{"model":"m-1","answers":{"__proto__":{"type":"noul","noul":${yes}},"team":{"type":"choice","choice":"${choice}","confidence":0.5,"probabilities":{"a":0.75,"b":0.25}}},"usage":{"input_tokens":7,"output_tokens":2}}`
  const wire = { status: 200, headers: [], latencyMs: 3 } satisfies Partial<Outcome["exchange"]>
  return readOutcome({ requestText, request: checked.request, responseText, ...wire }, [])
}

test("two identical runs have no differences", () => {
  const compared = compareAnswers(outcome("s", 0.75), outcome("s", 0.75))
  expect(compared.map(({ name, changed }) => [name, changed])).toEqual([
    ["__proto__", false],
    ["team", false],
  ])
  expect(compareFigures(outcome("s", 0.75), outcome("s", 0.75)).filter(({ changed }) => changed)).toEqual([])
})

test("a changed value is marked and shows its difference", () => {
  const [proto, team] = compareAnswers(outcome("s", 0.75), outcome("t", 0.5))
  expect(proto?.lines).toEqual([{ label: "Yes", left: "0.750", right: "0.500", difference: "−0.250", changed: true }])
  expect(team?.lines[0]).toEqual({ label: "Choice", left: "a", right: "b", difference: null, changed: true })
  expect(team?.lines[2]).toEqual({ label: "p(a)", left: "0.750", right: "0.750", difference: null, changed: false })
  const state = compareFigures(outcome("s", 0.75), outcome("t", 0.5)).find(({ label }) => label === "State")
  expect(state).toMatchObject({ right: "different", changed: true })
})

test("an added question is marked, and a question without an answer has no lines", () => {
  const added = ',"late":{"type":"noul","instructions":"y"}'
  const figures = compareFigures(outcome("s", 0.75), outcome("s", 0.75, added))
  expect(figures.find(({ label }) => label === "Questions")).toMatchObject({ left: "2", right: "3", changed: true })
  expect(compareAnswers(outcome("s", 0.75), outcome("s", 0.75, added)).at(-1)).toMatchObject({
    name: "late",
    lines: [],
  })
})
