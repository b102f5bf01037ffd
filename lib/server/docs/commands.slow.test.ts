import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { exportCode } from "@/lib/shared/export-code/export-code"
import { printFigure } from "@/test/figures"
import { insertFastKey } from "@/test/insert-rows"
import { printedCommand, runSnippet } from "@/test/run-snippet"
import { NODE_MAJORS, SDK_MODULES } from "@/test/sdks"
import { testService } from "@/test/service"
import { readGuide } from "./guide"
import { type Snippet, snippetsOf } from "./parse"
import { guideValues } from "./values"

const service = await testService()
const { token } = await insertFastKey()
const { catalogue, env } = service.runtime
const guide = await readGuide(guideValues({ catalogue, env: { ...env, BASE_URL: service.url } }))

const REQUEST =
  '{"model":"svc-decider-latest","state":"Please refund me","questions":{"refund":{"type":"noul","instructions":"Refund?"}}}'
const exported = (exportCode(REQUEST, new Map(), service.url) ?? []).map(({ language, file, code }) => ({
  language: language.toLowerCase(),
  title: file,
  code,
}))
/** They differ from `create.mts` only in their request. `snippets.slow.test.ts` runs them on one release. */
const LIKE_CREATE = ["late.mts", "noul.mts", "choice.mts", "score.mts"]
const programs = [...guide.flatMap(({ markdown }) => snippetsOf(markdown)), ...exported].filter(
  ({ language, title }) => language === "typescript" && !LIKE_CREATE.includes(title),
)
const usesPackages = ({ code }: Snippet) => printedCommand(code).packages.length > 0

async function outputOf(program: Snippet, node: (typeof NODE_MAJORS)[number], modules?: string): Promise<string> {
  const { exitCode, stdout, stderr } = await runSnippet(program, token, { node, modules })
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" })
  return stdout
}

describe("programs without packages", () => {
  test.each(programs.filter((program) => !usesPackages(program)).map((program) => [program.title, program] as const))(
    "%s prints the same on Node 20, 22 and 24, by the command in its first line",
    async (_title, program) => {
      const outputs = await Promise.all(NODE_MAJORS.map((node) => outputOf(program, node)))
      expect(outputs[0]).not.toBe("")
      expect(new Set(outputs).size).toBe(1)
    },
  )
})

describe("programs of other people's clients", () => {
  test.each(programs.filter(usesPackages).map((program) => [program.title, program] as const))(
    "%s prints the probability on Node 22 and 24, with the unchanged package",
    async (title, program) => {
      for (const node of [22, 24] as const) {
        const output = await outputOf(program, node, SDK_MODULES)
        printFigure(`${title} on Node ${node} prints`, Number(output))
        expect(Number(output)).toBeCloseTo(0.9, 0)
      }
    },
  )

  test("install the versions that are tested, and there is one for each client", () => {
    const { dependencies } = JSON.parse(readFileSync("test/sdks/package.json", "utf8"))
    const installed = programs.flatMap(({ code }) => printedCommand(code).packages)
    const tested = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)
    expect(installed.toSorted()).toEqual(tested.toSorted())
  })
})

test.each(
  exported.filter(({ language }) => language !== "typescript").map((program) => [program.title, program] as const),
)("the export %s runs by the command in its first line", async (_title, program) => {
  const { exitCode, stdout } = await runSnippet(program, token)
  expect([exitCode, JSON.parse(stdout).model]).toEqual([0, "svc-lexical-baseline-1"])
})

test("the names in the printed commands are those of the files", () => {
  for (const { title, code } of programs) {
    const { command, onNode20 } = printedCommand(code)
    expect([title, command]).toEqual([title, `node ${title}`])
    if (onNode20) expect(onNode20).toBe(`npx tsx ${title}`)
  }
})
