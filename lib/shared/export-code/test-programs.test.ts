import { describe, expect, test } from "vitest"
import { TYPE_NAMES } from "@/questions/question-types"
import { runExportedTest, scriptedApi } from "@/test/run-exported-test"
import { TYPE_SAMPLES } from "@/test/type-samples"
import type { TestInput, TestRow } from "./export-test"

const LIMITS = {
  band: null,
  minAccuracy: 1,
  maxWrongOfAutomatic: null,
  minAutomatic: null,
  maxMeanError: null,
  claims: [],
}

const ANSWERS = Object.fromEntries(TYPE_NAMES.map((name) => [name, TYPE_SAMPLES[name].undecided.answer]))

const inputOf = (baseUrl: string, rows: TestRow[]): TestInput => ({
  model: "m-1",
  pinnedId: "m-1",
  questionsJson: "{}",
  outcomes: TYPE_NAMES.map((name) => TYPE_SAMPLES[name].undecided.outcomes),
  checks: TYPE_NAMES.map((name) => ({ ...LIMITS, question: name, type: name })),
  rows,
  baseUrl,
})

const rowOf = (line: number, state: string, labels: number[]): TestRow => ({
  ...{ line, state, labels },
  answers: labels.map(() => null),
  checking: labels.map(() => 0),
})

describe.each(["typescript", "python"] as const)("the test in %s", (language) => {
  test("counts one half as a yes, and a score as the nearest level", async () => {
    const { url } = await scriptedApi("m-1", () => ANSWERS)
    const resultOf = (labels: number[]) =>
      runExportedTest(language, inputOf(url, [rowOf(2, '"s"', labels)]), "svcd_test")
    const ofTypes = (label: "right" | "wrong") => TYPE_NAMES.map((name) => TYPE_SAMPLES[name].undecided[label])
    expect(await resultOf(ofTypes("right"))).toMatchObject({ code: 0, stderr: "" })
    const { stdout } = await resultOf(ofTypes("wrong"))
    for (const name of TYPE_NAMES) expect(stdout).toContain(`FAIL ${name}: accuracy is 0.0% (0 of 1)`)
  })

  test("sends no further row after one was refused", async () => {
    const api = await scriptedApi("m-1", (state) => (state === "7" ? null : ANSWERS))
    const labels = TYPE_NAMES.map(() => 0)
    const rows = Array.from({ length: 200 }, (_, at) => rowOf(at + 2, `"${at}"`, labels))
    const { code, stderr } = await runExportedTest(language, inputOf(api.url, rows), "svcd_test")
    expect(stderr).toContain("400 invalid_request: The state is too long.")
    expect(code).toBe(1)
    expect(api.states.length).toBeLessThan(100)
  })
})
