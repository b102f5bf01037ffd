import { describe, expect, test } from "vitest"
import { runExportedTest, scriptedApi } from "@/test/run-exported-test"
import type { TestInput, TestRow } from "./export-test"

const LIMITS = { band: null, minAccuracy: 1, maxWrongOfAutomatic: null, minAutomatic: null, maxMeanError: null }
const ANSWERS = {
  refund: { noul: 0.5 },
  team: { probabilities: { billing: 0.5, shipping: 0.5 } },
  anger: { score: 0.5, probabilities: { 0: 0.6, 1: 0.3, 2: 0.1 } },
}

const inputOf = (baseUrl: string, rows: TestRow[]): TestInput => ({
  model: "m-1",
  pinnedId: "m-1",
  questionsJson: "{}",
  outcomes: [
    ["no", "yes"],
    ["billing", "shipping"],
    ["0", "1", "2"],
  ],
  checks: [
    { ...LIMITS, question: "refund", type: "noul" },
    { ...LIMITS, question: "team", type: "choice" },
    { ...LIMITS, question: "anger", type: "score" },
  ],
  rows,
  baseUrl,
})

describe.each(["typescript", "python"] as const)("the test in %s", (language) => {
  test("counts one half as a yes, and a score as the nearest level", async () => {
    const { url } = await scriptedApi("m-1", () => ANSWERS)
    const resultOf = (...labels: number[]) =>
      runExportedTest(language, inputOf(url, [{ line: 2, state: '"s"', labels }]), "svcd_test")
    expect(await resultOf(1, 0, 1)).toMatchObject({ code: 0, stderr: "" })
    const { stdout } = await resultOf(0, 1, 0)
    for (const name of ["refund", "team", "anger"]) expect(stdout).toContain(`FAIL ${name}: accuracy is 0.0000`)
  })

  test("sends no further row after one was refused", async () => {
    const api = await scriptedApi("m-1", (state) => (state === "7" ? null : ANSWERS))
    const rows = Array.from({ length: 200 }, (_, at) => ({ line: at + 2, state: `"${at}"`, labels: [1, 0, 1] }))
    const { code, stderr } = await runExportedTest(language, inputOf(api.url, rows), "svcd_test")
    expect(stderr).toContain("400 invalid_request: The state is too long.")
    expect(code).toBe(1)
    expect(api.states.length).toBeLessThan(100)
  })
})
