import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { exportTest, type TestInput } from "@/lib/shared/export-code/export-test"
import { listen } from "./listen"

const COMMANDS = {
  typescript: [process.execPath, path.resolve("node_modules/tsx/dist/cli.mjs")],
  python: ["python3"],
}

interface Ran {
  code: number
  stdout: string
  stderr: string
}

interface More {
  env?: Record<string, string> | undefined
  /** Arguments, and texts of further files in the program's folder, by name. */
  args?: string[]
  files?: Record<string, string>
}

/** Runs an exported test program beside its data file. Apart from `PATH` and `NODE_ENV`, its environment has the key and `env`. */
export async function runExportedTest(
  language: keyof typeof COMMANDS,
  input: TestInput,
  key: string,
  { env: more, args: passed = [], files = {} }: More = {},
): Promise<Ran> {
  const exported = exportTest(input)
  const folder = await mkdtemp(path.join(tmpdir(), "svcd-exported-test-"))
  try {
    for (const { name, text } of Object.values(exported)) await writeFile(path.join(folder, name), text)
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
    const [command = "", ...args] = COMMANDS[language]
    const env = { PATH: process.env.PATH, SVC_API_KEY: key, NODE_ENV: "test", ...more } as NodeJS.ProcessEnv
    return await new Promise((resolve) =>
      execFile(
        command,
        [...args, path.join(folder, exported[language].name), ...passed],
        { env, cwd: folder },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      ),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export interface ScriptedApi {
  url: string
  /** The states of the requests so far. */
  states: unknown[]
}

/**
 * Starts a double of the API on a loopback port, which stops with the test file. It checks neither path nor key. `answers` returns null
 * for a refusal with 400.
 */
export async function scriptedApi(model: string, answers: (state: unknown) => object | null): Promise<ScriptedApi> {
  const states: unknown[] = []
  const server = createServer(async (request, response) => {
    const { state } = JSON.parse(await text(request))
    states.push(state)
    const answered = answers(state)
    if (answered) return void response.end(JSON.stringify({ model, answers: answered }))
    response.writeHead(400).end('{"error":{"code":"invalid_request","message":"The state is too long."}}')
  })
  return { url: await listen(server), states }
}
