import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import path from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, test } from "vitest"
import type { Threshold } from "@/lib/shared/runs/thresholds"
import { insertFastKey } from "@/test/insert-rows"
import { listen } from "@/test/listen"
import { INSTALL_HOOK_MS, pythonPackagesOf } from "@/test/python-packages"
import { nodeFolder, SDK_MODULES, sdksInstalled } from "@/test/sdks"
import { testService } from "@/test/service"
import { tempFolder } from "@/test/temp-folder"
import { API_PATHS, EXPORT_APIS, type ExportApi } from "./export-apis"
import { type CodeExport, exportCode } from "./export-code"
import { PYTHON_CLIENTS } from "./python-clients"
import { TYPESCRIPT_CLIENTS } from "./typescript-clients"

const run = promisify(execFile)
const LOCK = "test/clients/slow-packages.txt"
const model = "svc-lexical-baseline-1"
// `report-outcomes.slow.test.ts` runs the programs that report outcomes, which also print predictions.
const APIS = EXPORT_APIS.map(({ value }) => value).filter((api) => api !== "outcomes")

/** Characters that break shells, templates and raw strings. */
const NASTY = `It's "5 o'clock" '''twice''', \`whoami\` $(id) \${HOME} %s \\n \\\\
JSON
EOF\t日本語 🦉 \u2028 \\`

const REQUEST = JSON.stringify(
  {
    model: "svc-decider-latest",
    state: `Refund me. ${NASTY}`,
    questions: {
      refund: { type: "noul", instructions: `Refund? ${NASTY}` },
      "team-2": { type: "choice", instructions: "Which?", criteria: { billing: NASTY, "deliver\"y'": null } },
      anger: { type: "score", instructions: "How angry?", criteria: ["calm", NASTY, "angry"] },
    },
  },
  null,
  2,
)
const THRESHOLDS = new Map<string, Threshold>([
  ["refund", { low: null, high: 0, model }],
  ["team-2", { probability: 0, model }],
  ["anger", { within: 1, model: "svc-decider-4b-v1-1-api-1" }],
])
const ACTIONS = "refund yes\nteam-2 accept\nanger review\n"

const service = await testService()
const { token } = await insertFastKey()
let packages: string
beforeAll(async () => {
  await sdksInstalled()
  packages = await pythonPackagesOf(LOCK)
}, INSTALL_HOOK_MS)

function exported(
  api: ExportApi,
  language: CodeExport["language"],
  thresholds = THRESHOLDS,
  url = service.url,
): CodeExport {
  const made = exportCode(REQUEST, thresholds, url, api)?.find((one) => one.language === language)
  if (!made) throw new Error(`no ${language} for ${api}`)
  return made
}

async function runProgram(
  { language, file, code }: CodeExport,
  keys: Record<string, string> = { SVC_API_KEY: token },
): Promise<{ stdout: string; stderr: string }> {
  const folder = tempFolder()
  await symlink(SDK_MODULES, path.join(folder, "node_modules"))
  await writeFile(path.join(folder, file), code)
  const command = { curl: "sh", TypeScript: path.join(nodeFolder(24), "node"), Python: "python3" }[language]
  // biome-ignore lint/style/noProcessEnv: the test needs PATH to find the programs
  const env = { ...keys, PATH: process.env.PATH, PYTHONPATH: packages, NODE_ENV: "test" } as const
  return run(command, [file], { cwd: folder, env })
}

/** The probability of yes, the option and the score of a response in any form. */
function valuesOf(json: string): unknown[] {
  const { answers } = JSON.parse(json)
  const [yes, choice, score] = Object.values<Record<string, unknown>>(answers)
  return [yes?.noul ?? yes?.probability, choice?.choice, score?.score]
}

describe.each(APIS)("for %s, exported code", (api) => {
  test.each(["curl", "TypeScript", "Python"] as const)(
    "in %s runs, has the numbers of the contract's API, and acts on thresholds",
    async (language) => {
      const { stdout, stderr } = await runProgram(exported(api, language))
      const direct = await (await service.decide(token, REQUEST)).text()
      expect(stdout.endsWith(`\n${ACTIONS}`)).toBe(true)
      expect(valuesOf(stdout.slice(0, -ACTIONS.length))).toEqual(valuesOf(direct))
      expect(stderr.split("\n")[0]).toContain("the threshold of anger was set for svc-decider-4b-v1-1-api-1")
    },
  )

  test.each(["curl", "TypeScript", "Python"] as const)("in %s runs without thresholds", async (language) => {
    const made = exported(api, language, new Map())
    expect(made.code).toContain(API_PATHS[api][language === "curl" ? "path" : "base"])
    expect(valuesOf((await runProgram(made)).stdout)).toHaveLength(3)
  })

  // The shell script has no retries.
  test.each(["TypeScript", "Python"] as const)("in %s retries with one Idempotency-Key", async (language) => {
    const keys: unknown[] = []
    const server = createServer((request, response) => {
      keys.push(request.headers["idempotency-key"])
      request.resume().on("end", () => {
        response.writeHead(keys.length === 1 ? 503 : 401, { "content-type": "application/json" })
        response.end('{"error":{"code":1,"message":"No."}}')
      })
    })
    const made = exported(api, language, new Map(), await listen(server))
    const failed = await runProgram(made).catch((error) => error)
    server.close()
    expect(failed.code).toBe(1)
    expect(keys).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{36}$/), keys[0]])
  })
})

describe.each(APIS)("for %s, exported code without SVC_API_KEY", (api) => {
  test.each(["TypeScript", "Python"] as const)("in %s sends no key of another service", async (language) => {
    const received: unknown[] = []
    const server = createServer((request, response) => {
      received.push(request.headers.authorization)
      response.writeHead(401, { "content-type": "application/json" }).end('{"error":{"code":1,"message":"No."}}')
    })
    const made = exported(api, language, new Map(), await listen(server))
    const others = { OPENAI_API_KEY: "other", OPENROUTER_API_KEY: "other", TYPESAFE_API_KEY: "other" }
    const failed = await runProgram(made, others).catch((error) => error)
    server.close()
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain("SVC_API_KEY")
    expect(received).toEqual([])
  })
})

test("exported TypeScript for other clients compiles with their types", async () => {
  const folder = tempFolder()
  await symlink(SDK_MODULES, path.join(folder, "node_modules"))
  const files = APIS.filter((api) => api !== "decisions").map((api) => `${api}.mts`)
  for (const file of files)
    await writeFile(path.join(folder, file), exported(file.replace(".mts", "") as ExportApi, "TypeScript").code)
  const flags = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--erasableSyntaxOnly",
    "--target",
    "es2022",
  ]
  const modules = ["--module", "nodenext", "--types", "node", "--typeRoots", path.resolve("node_modules/@types")]
  const tsc = path.resolve("node_modules/typescript/bin/tsc")
  const options = { cwd: folder }
  await run(process.execPath, [tsc, ...flags, ...modules, ...files], options).catch(({ stdout }) => {
    throw new Error(stdout)
  })
})

test("exported code names the versions that the tests install", () => {
  const { dependencies } = JSON.parse(readFileSync("test/sdks/package.json", "utf8"))
  for (const { name, version } of Object.values(TYPESCRIPT_CLIENTS)) expect(dependencies[name]).toBe(version)
  const lines = readFileSync(LOCK, "utf8").split("\n")
  for (const { name, version } of Object.values(PYTHON_CLIENTS)) expect(lines).toContain(`${name}==${version}`)
})
