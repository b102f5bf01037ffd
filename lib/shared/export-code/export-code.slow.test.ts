import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import path from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { actionOf, type Band, type Threshold } from "@/lib/shared/runs/thresholds"
import { seededRandom } from "@/lib/shared/statistics/random"
import { insertFastKey } from "@/test/insert-rows"
import { listen } from "@/test/listen"
import { testService } from "@/test/service"
import { tempFolder } from "@/test/temp-folder"
import { type CodeExport, exportCode } from "./export-code"

const run = promisify(execFile)
const MODEL = "svc-lexical-baseline-1"

/** Characters that break shells, templates and raw strings, in every text and name. */
const NASTY = `She said "it's 5 o'clock" '''twice''', \`whoami\` $(id) \${HOME} $0 %s \\n \\\\ \\u0024
JSON
EOF\t日本語 🦉 \u2028 <!-- </script> \\`

const REQUEST = `{
  "model": "svc-decider-latest",
  "state": {"__proto__": ${JSON.stringify(NASTY)}, "10": 1e400, "2": 12345678901234567890, "constructor": [1.0]},
  "questions": {
    "__proto__": { "type": "noul", "instructions": ${JSON.stringify(NASTY)} },
    "constructor": { "type": "choice", "criteria": {"__proto__": null, "10": ${JSON.stringify(NASTY)}, "it's \\"\\\\": {"a": ["'''"]}} },
    "10": { "type": "score", "instructions": null, "criteria": [${JSON.stringify(NASTY)}, {"__proto__": 1}, "x"] }
  }
}`

const PLAIN =
  '{"model":"svc-decider-latest","state":"Please refund me","questions":{"refund":{"type":"noul","instructions":"Refund?"}}}'

const service = await testService()
const { token } = await insertFastKey()
const folder = tempFolder()

const COMMANDS: Record<CodeExport["language"], string[]> = {
  curl: ["sh"],
  TypeScript: [process.execPath, path.resolve("node_modules/tsx/dist/cli.mjs")],
  Python: ["python3"],
}

async function runExport({ language, file, code }: CodeExport, key = token) {
  const at = path.join(folder, file)
  await writeFile(at, code)
  const [command = "", ...args] = COMMANDS[language]
  return run(command, [...args, at], {
    // biome-ignore lint/style/noProcessEnv: the test needs PATH to find the programs
    env: { PATH: process.env.PATH, SVC_API_KEY: key, LC_ALL: "C", NODE_ENV: "test" },
  })
}

function exportsOf(requestText: string, band?: Band, url = service.url) {
  if (!band) return exportCode(requestText, new Map(), url) ?? []
  const { model } = band
  const thresholds = new Map<string, Threshold>([
    [requestText === REQUEST ? "__proto__" : "refund", band],
    ["constructor", { confidence: 0, model }],
    ["10", { confidence: 1, model }],
  ])
  return exportCode(requestText, thresholds, url) ?? []
}

describe.each(["curl", "TypeScript", "Python"] as const)("%s", (language) => {
  const pick = (exports: CodeExport[]): CodeExport => exports.find((made) => made.language === language) as CodeExport

  test("runs as printed and returns the API's response, whatever the texts and names contain", async () => {
    const direct = (await (await service.decide(token, REQUEST)).json()) as Record<string, unknown>
    expect(Object.keys(direct.answers as object)).toHaveLength(3)
    const { stdout } = await runExport(pick(exportsOf(REQUEST, { low: 0, high: 0, model: MODEL })))
    const [json = "", actions] = stdout.split(/(?<=\})\n(?=__proto__)/)
    expect(JSON.parse(json)).toEqual(direct)
    if (language !== "curl") expect(actions).toBe("__proto__ yes\nconstructor accept\n10 review\n")
  })

  test("contains no key", () => {
    for (const { code } of exportsOf(REQUEST)) {
      expect(code).toContain("SVC_API_KEY")
      expect(code).not.toMatch(/svcd_\w/)
    }
  })

  // The shell script has neither thresholds nor retries.
  if (language === "curl") return

  test("returns review when a model answered that the threshold was not set for", async () => {
    const { stdout, stderr } = await runExport(
      pick(exportsOf(PLAIN, { low: 0, high: 0, model: "svc-decider-4b-v1-1-api-1" })),
    )
    expect(stdout.trim().split("\n").at(-1)).toBe("refund review")
    expect(stderr.trim()).toBe(
      "svc-lexical-baseline-1 answered, but the threshold of refund was set for svc-decider-4b-v1-1-api-1. Set it again.",
    )
  })

  test("retries a lost connection with the same key, waits for Retry-After and stops at 402", async () => {
    const seen: number[] = []
    const keys = new Set<unknown>()
    const server = createServer((request, response) => {
      keys.add(request.headers["idempotency-key"])
      seen.push(Date.now())
      request.resume().on("end", () => {
        if (seen.length === 3) return request.socket.destroy()
        response.statusCode = seen.length === 1 ? 429 : seen.length === 2 ? 503 : 402
        if (seen.length === 1) response.setHeader("retry-after", "1")
        response.setHeader("x-request-id", "req_1")
        response.end('{"error":{"code":"insufficient_balance","message":"The balance is too low."}}')
      })
    })
    const url = await listen(server)
    const failed = await runExport(pick(exportsOf(PLAIN, undefined, url))).catch((error) => error)
    server.close()
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain("402 insufficient_balance: The balance is too low.")
    expect(seen).toHaveLength(4)
    expect([...keys]).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)])
    expect((seen[1] ?? 0) - (seen[0] ?? 0)).toBeGreaterThanOrEqual(995)
  })
})

const { share } = seededRandom(52)
const PROBABILITIES = [
  0,
  1,
  ...Array.from({ length: 9_998 }, (_, at) => (at % 2 ? share() : Math.round(share() * 100) / 100)),
]
const BANDS: Pick<Band, "low" | "high">[] = [
  { low: 0.12, high: 0.83 },
  { low: null, high: 0.5 },
  { low: 0.37, high: null },
  { low: null, high: null },
  { low: 1, high: 1 },
]

/** Replaces the request of a program by the actions for all probabilities, one per line. */
function actionsIn({ language, code }: CodeExport, probabilities: string): string {
  if (language === "Python")
    return `${code.slice(0, code.indexOf('\nif __name__ == "__main__":'))}
for yes in json.load(open(${JSON.stringify(probabilities)})):
    print(action_of({"model": ${JSON.stringify(MODEL)}, "answers": {"refund": {"noul": yes}}}, "refund"))
`
  return `${code.slice(0, code.indexOf("\ndecide(STATE)\n"))}
import { readFileSync } from "node:fs"
for (const noul of JSON.parse(readFileSync(${JSON.stringify(probabilities)}, "utf8")))
  console.log(actionOf({ model: ${JSON.stringify(MODEL)}, answers: { refund: { type: "noul", noul } }, usage: { input_tokens: 1, output_tokens: 0 } }, "refund"))
`
}

test.each(["TypeScript", "Python"] as const)(
  "in %s, 10,000 probabilities lead to the actions of the evaluation, also 0 and 1",
  async (language) => {
    const probabilities = path.join(folder, "probabilities.json")
    await writeFile(probabilities, JSON.stringify(PROBABILITIES))
    for (const band of BANDS) {
      const made = exportsOf(PLAIN, { ...band, model: MODEL }).find((each) => each.language === language) as CodeExport
      const { stdout } = await runExport({
        ...made,
        file: `actions.${made.file}`,
        code: actionsIn(made, probabilities),
      })
      expect(stdout.trim().split("\n")).toEqual(PROBABILITIES.map((yes) => actionOf(yes, band)))
    }
  },
)

test("the shell script names what never happens", () => {
  const made = exportsOf(PLAIN, { low: 0.37, high: null, model: MODEL }).find(({ language }) => language === "curl")
  expect(made?.code).toContain(`# refund: no below 0.37, never yes, else review (set for ${MODEL})`)
})

test("the TypeScript export compiles, and its types can be stripped by Node", async () => {
  const made = exportsOf(REQUEST, { low: 0.25, high: 0.75, model: MODEL })[1]
  const file = path.join(folder, "typed.ts")
  await writeFile(file, made?.code ?? "")
  const flags = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--erasableSyntaxOnly",
    "--target",
    "es2022",
    "--module",
    "esnext",
  ]
  const types = ["--lib", "es2022,dom", "--types", "node", "--typeRoots", path.resolve("node_modules/@types")]
  await run(process.execPath, [path.resolve("node_modules/typescript/bin/tsc"), ...flags, ...types, file])
})

test("an invalid request is not exported", () => {
  expect(exportCode('{"model":"m"}', new Map(), "http://localhost:3000")).toBe(null)
})
