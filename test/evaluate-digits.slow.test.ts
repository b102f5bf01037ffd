import { createElement, type ReactElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { acceptedText } from "@/app/(console)/evaluate/_components/results/accept-button"
import { FoundAutomation } from "@/app/(console)/evaluate/_components/results/automation-found"
import { RecordView } from "@/app/(console)/evaluate/_components/sign-off/record-view"
import { codeOf } from "@/lib/shared/evaluate/export/accepted-thresholds"
import type { RunData } from "@/lib/shared/evaluate/export/judged-questions"
import { signOffRecord } from "@/lib/shared/evaluate/export/sign-off-record"
import { testInputOf } from "@/lib/shared/evaluate/export/test-input"
import { writeReport } from "@/lib/shared/evaluate/export/write-report"
import { FIRST_GOAL, type Goal } from "@/lib/shared/evaluate/figures/automation"
import { acceptedRun, apiAnswers, rowAnswers } from "./accepted-run"
import { runExportedTest, scriptedApi } from "./run-exported-test"

const LANGUAGES = ["typescript", "python"] as const

const api = await scriptedApi("m-1", (state) => apiAnswers(rowAnswers(Number(state))))

const textOf = (element: ReactElement): string =>
  renderToStaticMarkup(element)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")

/** Returns the record as its page shows it, and what the exported tests print about the run and about the record. */
async function provedAgain(data: RunData) {
  const record = signOffRecord(data, { madeAt: "2026-11-28T11:00:00.000Z", person: "ada@example.com" })
  const input = testInputOf(data, api.url)
  if (!record || !input) throw new Error("No row has a label.")
  const files = { "record.json": JSON.stringify({ record, signature: null }) }
  const runs = LANGUAGES.flatMap((language) => [
    runExportedTest(language, input, "svcd_test"),
    runExportedTest(language, input, "", { args: ["verify", "record.json"], files }),
  ])
  const [test, verify, pythonTest, pythonVerify] = (await Promise.all(runs)).map(({ stdout }) => stdout)
  const shown = textOf(createElement(RecordView, { record, sha256: "", signature: null }))
  return { record: shown, test, verify, "test in Python": pythonTest, "verify in Python": pythonVerify }
}

/** Returns what each place says when a goal of the choice "team" was accepted. */
async function placesOf(teamGoal: Partial<Goal>): Promise<Record<string, string | undefined>> {
  const data = acceptedRun(teamGoal)
  const goal = { ...FIRST_GOAL, ...teamGoal }
  const page = data.shown.map(({ automation, answered, acceptance }) => [
    textOf(createElement(FoundAutomation, { automation, goal, doubts: [], isMiscalibrated: true, corrections: null })),
    acceptedText(acceptance, answered),
  ])
  const code = codeOf(data, api.url)?.("decisions").map((each) => each.code)
  return { page: page.flat().join(" "), report: writeReport(data), code: code?.join(" "), ...(await provedAgain(data)) }
}

test.each<[what: string, goal: Partial<Goal>, sentences: Record<string, string[]>]>([
  [
    // 12.34% is 12.4%: a text must not promise more than was proved.
    "a proved target",
    { target: 0.1234 },
    {
      page: [
        "yes from 0.5 up and no below 0.3",
        "its probability is 0.489 or more",
        "a probability of 0.9864 or more",
        "At most 12.4% of the automatic answers are wrong (95% confidence). 14 of 188 are wrong.",
        "188 are automatic: 94.0%",
        "At least 89.0% automatic.",
        "The probabilities are not calibrated. A claim about a threshold holds all the same, because it counts mistakes.",
      ],
      report: [
        "automatic no below 0.3 and yes from 0.5 up, by the probability of yes",
        "automatic from 0.489 up",
        "automatic from 0.9864 up",
        "At most 12.4% of the automatic answers are wrong (95% confidence). 14 of 188 are wrong.",
        "At least 89.0% answered automatically",
        "A mean error of at most 0.6 levels",
      ],
      record: [
        "Automatic no below 0.3 and yes from 0.5 up, by the probability of yes",
        "Automatic from 0.489 up",
        "Automatic from 0.9864 up",
        "At most 12.4% of the automatic answers are wrong (95% confidence). 14 of 188 are wrong.",
        "188 automatic, 14 of them wrong",
        "At least 89.0% answered automatically",
        "A mean error of at most 0.6 levels",
        "all confirmed 12.4% 0.025 walk 188 14",
      ],
      code: ["low: 0.3, high: 0.5", "probability: 0.489,", "within: 0.9864"],
      test: [
        "at most 12.4% of the automatic answers are wrong is shown: 14 of 188 are",
        "automatic share is 94.0% (188 of 200), accepted from 89.0%",
        "levels, accepted up to 0.6",
      ],
      verify: ["at most 12.4% of the automatic answers are wrong: 14 of 188 are", "188 automatic, 14 of them wrong"],
    },
  ],
  [
    // The bound is 4.717%.
    "the bound of a threshold that costs chose",
    { kind: "costs" },
    {
      page: [
        "its probability is 0.83 or more",
        "At most 4.8% of the automatic answers are wrong",
        "at most 4.8% wrong, at least 55.0% automatic",
        "125 are automatic: 62.5%",
      ],
      report: [
        "automatic from 0.83 up",
        "At most 4.8% of the automatic answers wrong",
        "At least 55.0% answered automatically",
      ],
      record: [
        "Automatic from 0.83 up",
        "125 automatic, 0 of them wrong",
        "At most 4.8% of the automatic answers wrong",
        "At least 55.0% answered automatically",
      ],
      code: ["probability: 0.83,"],
      test: [
        "wrong of the automatic is 0.0% (0 of 125), accepted up to 4.8%",
        "automatic share is 62.5% (125 of 200), accepted from 55.0%",
      ],
      verify: ["125 automatic, 0 of them wrong"],
    },
  ],
])("%s has the same digits in page, report, record, code and test", { timeout: 120_000 }, async (_, goal, expected) => {
  const places = await placesOf(goal)
  const { test = [], verify = [] } = expected
  for (const [place, sentences] of Object.entries({
    ...expected,
    "test in Python": test,
    "verify in Python": verify,
  }))
    for (const sentence of sentences) expect.soft(places[place], `${place}: ${sentence}`).toContain(sentence)
})

test.each(LANGUAGES)(
  "a share that is almost all or nothing reads in the test in %s as on the page",
  async (language) => {
    const certain = await scriptedApi("m-1", () => ({ refund: { type: "noul", noul: 1 } }))
    const rows = Array.from({ length: 2_001 }, (_, at) => ({
      line: at + 2,
      state: '"s"',
      labels: [at === 0 ? 0 : 1],
      answers: [[0, 1]],
      checking: [0],
    }))
    const limits = { band: { low: null, high: 0.5 }, minAccuracy: 0.5, maxWrongOfAutomatic: 0.5, minAutomatic: null }
    const { stdout } = await runExportedTest(
      language,
      {
        model: "m-1",
        pinnedId: "m-1",
        questionsJson: "{}",
        outcomes: [["no", "yes"]],
        checks: [{ question: "refund", type: "noul", ...limits, maxMeanError: null, claims: [] }],
        rows,
        baseUrl: certain.url,
      },
      "svcd_test",
    )
    expect(stdout).toContain("accuracy is >99.9% (2000 of 2001), accepted from 50.0%")
    expect(stdout).toContain("wrong of the automatic is <0.1% (1 of 2001), accepted up to 50.0%")
  },
)
