import { execFile } from "node:child_process"
import { symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import path from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import type { Band, Threshold } from "@/lib/shared/runs/thresholds"
import { insertFastKey } from "@/test/insert-rows"
import { listen } from "@/test/listen"
import { testService } from "@/test/service"
import { tempFolder } from "@/test/temp-folder"
import type { ExportApi } from "./export-apis"
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

function exportsOf(requestText: string, band?: Band, url = service.url, api: ExportApi = "decisions") {
  if (!band) return exportCode(requestText, new Map(), url, api) ?? []
  const { model } = band
  const thresholds = new Map<string, Threshold>([
    [requestText === REQUEST ? "__proto__" : "refund", band],
    ["constructor", { confidence: 0, model }],
    ["10", { confidence: 1, model }],
  ])
  return exportCode(requestText, thresholds, url, api) ?? []
}

describe.each(["curl", "TypeScript", "Python"] as const)("%s", (language) => {
  const pick = (exports: CodeExport[]): CodeExport => exports.find((made) => made.language === language) as CodeExport

  test("runs as printed and returns the API's response, whatever the texts and names contain", async () => {
    const direct = (await (await service.decide(token, REQUEST)).json()) as Record<string, unknown>
    expect(Object.keys(direct.answers as object)).toHaveLength(3)
    const { stdout } = await runExport(pick(exportsOf(REQUEST, { low: 0, high: 0, model: MODEL })))
    const [json = "", actions] = stdout.split(/(?<=\})\n(?=__proto__)/)
    expect(JSON.parse(json)).toEqual(direct)
    expect(actions).toBe("__proto__ yes\nconstructor accept\n10 review\n")
  })

  test("contains no key", () => {
    for (const { code } of exportsOf(REQUEST)) {
      expect(code).toContain("SVC_API_KEY")
      expect(code).not.toMatch(/svcd_\w/)
    }
  })

  test("returns review when a model answered that the threshold was not set for", async () => {
    const { stdout, stderr } = await runExport(
      pick(exportsOf(PLAIN, { low: 0, high: 0, model: "svc-decider-4b-v1-1-api-1" })),
    )
    expect(stdout.trim().split("\n").at(-1)).toBe("refund review")
    expect(stderr.trim()).toBe(
      "svc-lexical-baseline-1 answered, but the threshold of refund was set for svc-decider-4b-v1-1-api-1. Set it again.",
    )
  })

  // The shell script has no retries.
  if (language === "curl") return

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

test("the shell script names what never happens", () => {
  const made = exportsOf(PLAIN, { low: 0.37, high: null, model: MODEL }).find(({ language }) => language === "curl")
  expect(made?.code).toContain(`# refund: no below 0.37, never yes, else review (set for ${MODEL})`)
})

test.each(["decisions", "outcomes"] as const)(
  "for %s, the TypeScript export compiles, and its types can be stripped by Node",
  async (api) => {
    const made = exportsOf(REQUEST, { low: 0.25, high: 0.75, model: MODEL }, service.url, api)[1]
    const file = path.join(folder, `typed-${api}.ts`)
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
  },
)

describe("the shell script", () => {
  const script = exportsOf(PLAIN, { low: 0, high: 0, model: MODEL })[0] as CodeExport

  test("asks for jq, which turns answers into actions, before it sends a request", async () => {
    const bin = tempFolder()
    for (const program of ["sh", "curl", "od", "tr", "cat"])
      await symlink((await run("which", [program])).stdout.trim(), path.join(bin, program))
    const file = path.join(folder, "without-jq.sh")
    await writeFile(file, script.code)
    const failed = await run("sh", [file], { env: { PATH: bin, SVC_API_KEY: token, NODE_ENV: "test" } }).catch(
      (error) => error,
    )
    expect(failed).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("This script needs jq") })
  })

  test("prints an error of the API, and ends with 1", async () => {
    const failed = await runExport(script, "svcd_none").catch((error) => error)
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.stdout)).toMatchObject({ error: { code: "invalid_api_key" } })
  })

  test("without thresholds needs no jq", () => {
    expect(exportsOf(PLAIN)[0]?.code).not.toContain("jq")
  })
})

test("an invalid request is not exported", () => {
  expect(exportCode('{"model":"m"}', new Map(), "http://localhost:3000")).toBe(null)
})
