import { execFile } from "node:child_process"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { copyFile, symlink } from "node:fs/promises"
import type { IncomingMessage } from "node:http"
import path from "node:path"
import { promisify } from "node:util"
import { pythonPackagesOf } from "../python-packages"
import { SDK_MODULES, sdksInstalled } from "../sdks"
import { tempFolder } from "../temp-folder"
import type { ClientPackage } from "./register"

/** No package reports its use or loads lists from elsewhere. */
export const QUIET = {
  LITELLM_LOCAL_MODEL_COST_MAP: "True",
  HAYSTACK_TELEMETRY_ENABLED: "False",
  FASTMCP_CHECK_FOR_UPDATES: "off",
  // A module beside the tests leaves no folder there.
  PYTHONDONTWRITEBYTECODE: "1",
}

const PROGRAMS = path.resolve("test/clients/programs")

type Variables = Record<string, string>

/** Runs a program in a folder, and resolves to what it prints. Rejects with all that it printed. */
async function run(
  file: string,
  args: string[],
  cwd: string,
  variables: Variables,
  timeoutMs = 240_000,
): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: cwd, ...QUIET, ...variables } as unknown as NodeJS.ProcessEnv
  const options = { cwd, env, timeout: timeoutMs, maxBuffer: 2 ** 24 }
  const { stdout } = await promisify(execFile)(file, args, options).catch((error) => {
    throw new Error(`${path.basename(file)} failed: ${error.stdout}${error.stderr}`, { cause: error })
  })
  return stdout.trim()
}

/** Runs Python with installed packages and these variables, by default in a folder of its own and for four minutes at most. Resolves to what it prints. */
export function runPython(
  packages: string,
  args: string[],
  variables: Variables = {},
  { cwd = tempFolder(), timeoutMs = 240_000 } = {},
) {
  return run("python3", ["-P", ...args], cwd, { PYTHONPATH: packages, ...variables }, timeoutMs)
}

/** Runs a program of `programs` beside the packages of npm, by default with the Node of the tests. */
export async function runNode(program: string, variables: Variables, node = process.execPath): Promise<string> {
  await sdksInstalled()
  const folder = tempFolder()
  await symlink(SDK_MODULES, path.join(folder, "node_modules"))
  await copyFile(path.join(PROGRAMS, program), path.join(folder, program))
  return run(node, [program], folder, variables)
}

/** Runs the program of a client against a service. Packages of PyPI come from the lock file. Resolves to the last line that it prints. */
export async function runClient(client: ClientPackage, url: string, token: string, lock: string): Promise<string> {
  const { name, set, inCode, program = name.replace(/^@/, "").replaceAll(/[-/]/g, "_") } = client
  const pairs = Object.entries({ ...set, ...inCode })
  const variables = Object.fromEntries(
    pairs.map(([variable, value]) => [variable, value.replace("{{base_url}}", url).replace("svcd_…", token)]),
  )
  const printed =
    client.from === "npm"
      ? await runNode(`${program}.mjs`, variables)
      : await runPython(await pythonPackagesOf(lock), [path.join(PROGRAMS, `${program}.py`)], variables)
  return printed.split("\n").at(-1) ?? ""
}

/** Runs a task, and returns the `Content-Encoding` of each request with a body that servers of this process received meanwhile. */
export async function codingsDuring(task: () => Promise<unknown>): Promise<string[]> {
  const codings: string[] = []
  const onRequest = (message: unknown) => {
    const { method, headers } = (message as { request: IncomingMessage }).request
    if (method === "POST") codings.push(headers["content-encoding"] ?? "none")
  }
  subscribe("http.server.request.start", onRequest)
  try {
    await task()
  } finally {
    unsubscribe("http.server.request.start", onRequest)
  }
  return codings
}
