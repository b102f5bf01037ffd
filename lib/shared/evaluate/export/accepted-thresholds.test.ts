import { expect, test } from "vitest"
import type { ExportApi } from "@/lib/shared/export-code/export-apis"
import type { Acceptance } from "@/lib/shared/export-code/export-test"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { choice, noul, score } from "@/lib/shared/request-form/examples"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { newRun, newSet } from "@/test/scripted-run"
import { acceptedThresholds, codeOf, exampleRequest } from "./accepted-thresholds"

const FORM: RequestForm = {
  model: "svc-decider-latest",
  keyId: "",
  state: asText(""),
  questions: [
    noul("refund", "Money back?", "", ""),
    noul("never", "Never yes?", "", ""),
    choice("team", "Which team?", [
      ["billing", ""],
      ["shipping", ""],
      ["other", ""],
    ]),
    score("urgency", "How soon?", ["Later.", "Now."]),
    choice("topic", "Which topic?", [
      ["billing", ""],
      ["other", ""],
    ]),
  ],
}

const accepted = (question: string, band: Acceptance["band"]): Acceptance => ({
  question,
  band,
  minAccuracy: null,
  maxWrongOfAutomatic: 0.02,
  minAutomatic: 0.5,
  maxMeanError: null,
})

const RUN = newRun({
  form: FORM,
  pinnedId: "svc-lexical-baseline-1",
  mapping: { state: { kind: "column", column: "text" }, labels: [] },
  acceptances: [
    accepted("refund", { low: 0.1, high: 0.83 }),
    accepted("never", { low: 0.1, high: null }),
    accepted("team", { low: 0, high: 0.7411 }),
    accepted("urgency", { low: null, high: 0.9734 }),
    {
      ...accepted("topic", null),
      options: [
        ["billing", 0.7444],
        ["other", null],
      ],
    },
    accepted("removed", { low: 0, high: 0.5 }),
  ],
})
const ROWS = ["first", "second"].map((text, index) => ({ index, line: index + 2, cells: [text] }))
const ANSWER = { status: "answered" as const, answers: [], tokens: 1, costUsd: null, requestId: null, latencyMs: 1 }
const DATA = { set: newSet(RUN), run: RUN, rows: ROWS, results: [{ runId: "run", row: 1, ...ANSWER }] }

test("accepted thresholds belong to the model that answered, a choice's is the probability that was proved, or one per option", () => {
  expect([...acceptedThresholds(RUN)]).toEqual([
    ["refund", { low: 0.1, high: 0.83, model: "svc-lexical-baseline-1" }],
    ["never", { low: 0.1, high: null, model: "svc-lexical-baseline-1" }],
    ["team", { probability: 0.7411, model: "svc-lexical-baseline-1" }],
    ["urgency", { within: 0.9734, model: "svc-lexical-baseline-1" }],
    [
      "topic",
      {
        options: [
          ["billing", 0.7444],
          ["other", null],
        ],
        model: "svc-lexical-baseline-1",
      },
    ],
  ])
})

test("the code asks the model that was chosen about an answered row, and acts on the thresholds", () => {
  expect(JSON.parse(exampleRequest(DATA) ?? "")).toMatchObject({ model: "svc-decider-latest", state: "second" })
  const codeFor = (api: ExportApi) =>
    codeOf(DATA, "http://localhost:3000")?.(api).find(({ language }) => language === "TypeScript")?.code ?? ""
  expect(codeFor("openai")).toContain('"http://localhost:3000/openai/v1"')
  const code = codeFor("decisions")
  expect(code).toContain('["refund", { low: 0.1, high: 0.83, model: "svc-lexical-baseline-1" }]')
  expect(code).toContain('["team", { probability: 0.7411, model: "svc-lexical-baseline-1" }]')
  expect(code).toContain('["urgency", { within: 0.9734, model: "svc-lexical-baseline-1" }]')
  expect(code).toContain('["topic", { options: [["billing",0.7444],["other",null]], model: "svc-lexical-baseline-1" }]')
  expect(code).toContain("After an alias moves")
})

test("without an answered row there is no code", () => {
  expect(codeOf({ ...DATA, results: [] }, "http://localhost:3000")).toBeNull()
})
