import { describe, expect, test } from "vitest"
import { insertFastKey } from "@/test/insert-rows"
import { runExportedTest } from "@/test/run-exported-test"
import { testService } from "@/test/service"
import { exportTest, type TestInput } from "./export-test"

const MODEL = "svc-lexical-baseline-1"
const TYPE_QUOTE = ["'''`$", "{HOME}\\"].join("")

const service = await testService()
const { token } = await insertFastKey()

const QUESTIONS = JSON.stringify({
  __proto: { type: "noul", instructions: "Does the customer ask for a refund?", criteria: { true: "refund" } },
  team: { type: "choice", criteria: { billing: "invoice payment", [TYPE_QUOTE]: "parcel delivery" } },
  anger: { type: "score", criteria: ["calm", "annoyed", "angry"] },
})

const STATES = ["Please refund me!", "Where is my parcel?", "The invoice is wrong.", TYPE_QUOTE]

/** Asks the service and takes its own answers as labels, so that every figure is known. */
async function inputOf(change: Partial<TestInput> = {}): Promise<TestInput> {
  const outcomes = [
    ["no", "yes"],
    ["billing", TYPE_QUOTE],
    ["0", "1", "2"],
  ]
  const rows = await Promise.all(
    STATES.map(async (text, at) => {
      const state = JSON.stringify(text)
      const response = await service.decide(token, `{"model":"${MODEL}","state":${state},"questions":${QUESTIONS}}`)
      const { answers } = (await response.json()) as {
        answers: {
          __proto: { noul: number }
          team: { choice: string; probabilities: Record<string, number> }
          anger: { score: number; probabilities: Record<string, number> }
        }
      }
      const labels = [
        answers.__proto.noul >= 0.5 ? 1 : 0,
        outcomes[1]?.indexOf(answers.team.choice) ?? 0,
        at === 0 ? null : Math.round(answers.anger.score),
      ]
      const choices = Object.values(answers.team.probabilities)
      const accepted = [
        [1 - answers.__proto.noul, answers.__proto.noul],
        choices,
        Object.values(answers.anger.probabilities),
      ]
      return { line: at + 2, state, labels, answers: accepted, checking: [0, 0, 0] }
    }),
  )
  const none = {
    band: null,
    minAccuracy: 1,
    maxWrongOfAutomatic: null,
    minAutomatic: null,
    maxMeanError: null,
    claims: [],
  }
  return {
    model: "svc-decider-latest",
    pinnedId: MODEL,
    questionsJson: QUESTIONS,
    outcomes,
    checks: [
      {
        ...none,
        question: "__proto",
        type: "noul",
        band: { low: 0.5, high: 0.5 },
        maxWrongOfAutomatic: 0,
        minAutomatic: 1,
      },
      { ...none, question: "team", type: "choice", band: { low: 0, high: 0 }, minAutomatic: 1 },
      { ...none, question: "anger", type: "score", maxMeanError: 2 },
    ],
    rows,
    baseUrl: service.url,
    ...change,
  }
}

describe.each(["typescript", "python"] as const)("the test in %s", (language) => {
  test("passes as printed while the answers are as accepted", async () => {
    const { code, stdout, stderr } = await runExportedTest(language, await inputOf(), token)
    expect(stderr).toBe("")
    expect(stdout.trimEnd().split("\n")).toEqual([
      "     __proto: 0 of 4 answers changed",
      "     team: 0 of 4 answers changed",
      "     anger: 0 of 3 answers changed",
      "ok   __proto: became wrong 0, became right 0, which is within chance (p = 1.0000)",
      "ok   __proto: accuracy is 100.0% (4 of 4), accepted from 100.0%",
      "ok   __proto: automatic share is 100.0% (4 of 4), accepted from 100.0%",
      "ok   __proto: wrong of the automatic is 0.0% (0 of 4), accepted up to 0.0%",
      "ok   team: became wrong 0, became right 0, which is within chance (p = 1.0000)",
      "ok   team: accuracy is 100.0% (4 of 4), accepted from 100.0%",
      "ok   team: automatic share is 100.0% (4 of 4), accepted from 100.0%",
      "ok   anger: became wrong 0, became right 0, which is within chance (p = 1.0000)",
      "ok   anger: accuracy is 100.0% (3 of 3), accepted from 100.0%",
      expect.stringMatching(/^ok {3}anger: mean error is [01]\.\d{3} levels, accepted up to 2$/),
    ])
    expect(code).toBe(0)
  })

  test("fails when a figure is worse than the accepted one, and names it", async () => {
    const input = await inputOf()
    const rows = input.rows.map((row, at) =>
      at === 1 ? { ...row, labels: [1 - (row.labels[0] ?? 0), null, null] } : row,
    )
    const { code, stdout } = await runExportedTest(language, { ...input, rows }, token)
    expect(code).toBe(1)
    expect(stdout).toContain("FAIL __proto: accuracy is 75.0% (3 of 4), accepted from 100.0%")
    expect(stdout).toContain("FAIL __proto: wrong of the automatic is 25.0% (1 of 4), accepted up to 0.0%")
    expect(stdout).toContain("ok   team: accuracy is 100.0% (3 of 3), accepted from 100.0%")
  })

  test("fails when the alias has moved, and names both models", async () => {
    const moved = await inputOf({ pinnedId: "svc-decider-4b-v1-1-api-1" })
    const { code, stdout } = await runExportedTest(language, moved, token)
    expect(stdout).toContain(
      "FAIL The answers were accepted from svc-decider-4b-v1-1-api-1, but svc-lexical-baseline-1 answered. Set thresholds again, or set ALLOW_OTHER_MODEL=1 to judge its answers.",
    )
    expect(code).toBe(1)
  })
})

test("neither program nor data contains a key", async () => {
  const files = Object.values(exportTest(await inputOf()))
  for (const { text } of files) expect(text).not.toMatch(/svcd_\w/)
})
