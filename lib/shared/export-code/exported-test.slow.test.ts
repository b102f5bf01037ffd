import { expect, test } from "vitest"
import { testInputOf } from "@/lib/shared/evaluate/export/test-input"
import choice from "@/lib/shared/statistics/fixture/ref-choice-5.json"
import { acceptedRun, apiAnswers, type RowAnswers, rowAnswers } from "@/test/accepted-run"
import { runExportedTest, scriptedApi } from "@/test/run-exported-test"

const LANGUAGES = ["typescript", "python"] as const

const flipped = (values: number[]): number[] => values.toReversed()

interface Change {
  /** Answers of one row, by its number. */
  answers?: (row: number, before: RowAnswers) => Partial<RowAnswers>
  model?: string
  env?: Record<string, string>
  code: 0 | 1
  sentence: string
}

/** What a pipeline must notice, and what is no reason to fail. */
const CHANGES: Record<string, Change> = {
  nothing: { code: 0, sentence: "     refund: 0 of 200 answers changed" },
  "another model": {
    model: "m-2",
    code: 1,
    sentence:
      "FAIL The answers were accepted from m-1, but m-2 answered. Set thresholds again, or set ALLOW_OTHER_MODEL=1 to judge its answers.",
  },
  "another model that is allowed": {
    model: "m-2",
    env: { ALLOW_OTHER_MODEL: "1" },
    code: 0,
    sentence: "warn The answers were accepted from m-1, but m-2 answered. Set thresholds again.",
  },
  "an answer that chance can explain": {
    answers: (row, { yes }) => (row === 12 && yes < 0.5 ? { yes: 0.6 } : {}),
    code: 0,
    sentence: "ok   refund: became wrong 1, became right 0, which is within chance (p = 0.5000)",
  },
  "a loss beyond chance": {
    answers: (row, { team }) => (row < 10 ? { team: flipped(team) } : {}),
    code: 1,
    sentence: "FAIL team: became wrong 6, became right 0, which is more than chance explains (p = 0.0156)",
  },
  "a claim that is no longer shown": {
    answers: (row, { yes }) => (row % 12 === 0 && yes > 0.9 ? { yes: 0.001 } : {}),
    code: 1,
    sentence: "FAIL refund: at most 10.0% of the automatic no are wrong is no longer shown",
  },
  "fewer automatic answers": {
    answers: (_, { yes }) => ({ yes: yes >= 0.5 ? 0.51 : 0.49 }),
    code: 1,
    sentence: "FAIL refund: automatic share is 47.5% (95 of 200), accepted from 87.0%",
  },
  "scores that drift": {
    answers: (_, { anger }) => ({ anger: [...anger.slice(1), anger[0] ?? 0] }),
    code: 1,
    sentence: "FAIL anger: mean error is",
  },
}

const CASES = LANGUAGES.flatMap((language) => Object.keys(CHANGES).map((name) => [name, language] as const))

test.each(CASES)("%s, in %s, has its exit code and its sentence", async (name, language) => {
  const { answers, model = "m-1", env, code, sentence } = CHANGES[name] as Change
  const api = await scriptedApi(model, (state) => {
    const before = rowAnswers(Number(state))
    return apiAnswers({ ...before, ...answers?.(Number(state), before) })
  })
  const input = testInputOf(acceptedRun(), api.url)
  if (!input) throw new Error("no rows")
  const ran = await runExportedTest(language, input, "svcd_test", { env })
  expect(ran.stdout).toContain(sentence)
  expect([ran.code, ran.stderr]).toEqual([code, ""])
})

test.each(LANGUAGES)("the test in %s lists what changed before it judges", async (language) => {
  const api = await scriptedApi("m-1", (state) => {
    const { yes, ...rest } = rowAnswers(Number(state))
    return apiAnswers({ ...rest, yes: state === "3" ? 1 - yes : yes })
  })
  const input = testInputOf(acceptedRun(), api.url)
  if (!input) throw new Error("no rows")
  const { stdout } = await runExportedTest(language, input, "svcd_test")
  const lines = stdout.split("\n")
  expect(lines.slice(0, 2)).toEqual([
    "     refund: 1 of 200 answers changed",
    expect.stringMatching(/^ {5}line 5: "(no|yes)" before, "(no|yes)" now, right is "(no|yes)"$/),
  ])
  expect(lines.findIndex((line) => line.startsWith("ok"))).toBe(4)
})

/** Answers with one option everywhere, without a doubt. */
const surely = (option: string): number[] => choice.options.map((name) => Number(name === option))

test.each(LANGUAGES)(
  "one option whose automatic answers got bad fails the test in %s, although all of them together pass",
  async (language) => {
    // Only rows whose answers were wrong before, so that no row got worse.
    const isWrong = (row: number) => {
      const { team } = rowAnswers(row)
      return team.indexOf(Math.max(...team)) !== choice.y[row]
    }
    const bad = Array.from({ length: 200 }, (_, row) => row)
      .filter((row) => isWrong(row) && choice.options[choice.y[row] ?? 0] !== "abuse")
      .slice(0, 12)
    const api = await scriptedApi("m-1", (state) => {
      const before = rowAnswers(Number(state))
      return apiAnswers(bad.includes(Number(state)) ? { ...before, team: surely("abuse") } : before)
    })
    const failuresOf = async (goal: Parameters<typeof acceptedRun>[0]) => {
      const input = testInputOf(acceptedRun(goal), api.url)
      if (!input) throw new Error("no rows")
      const { code, stdout } = await runExportedTest(language, input, "svcd_test")
      return [code, ...stdout.split("\n").filter((line) => line.startsWith("FAIL"))]
    }
    expect(await failuresOf({ target: 0.2 })).toEqual([0])
    expect(await failuresOf({ kind: "options", target: 0.2 })).toEqual([
      1,
      expect.stringContaining("FAIL team: at most 20.0% of the automatic “abuse” are wrong is no longer shown"),
    ])
  },
)
