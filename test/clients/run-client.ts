import { execFile } from "node:child_process"
import path from "node:path"
import { promisify } from "node:util"
import { tempFolder } from "../temp-folder"
import type { ClientPackage } from "./register"

/** No package reports its use or loads lists from elsewhere. */
const QUIET = { LITELLM_LOCAL_MODEL_COST_MAP: "True", HAYSTACK_TELEMETRY_ENABLED: "False" }

/** Runs Python with installed packages in a folder of its own, and these variables. Resolves to what it prints. */
export async function runPython(packages: string, args: string[], variables: Record<string, string> = {}) {
  const cwd = tempFolder()
  const env = { PATH: process.env.PATH, HOME: cwd, PYTHONPATH: packages, ...QUIET, ...variables }
  const options = { cwd, env: env as unknown as NodeJS.ProcessEnv, timeout: 240_000, maxBuffer: 2 ** 24 }
  return (await promisify(execFile)("python3", ["-P", ...args], options)).stdout.trim()
}

/** Runs the program of a client against a service, by its environment variables only. */
export function runClient(packages: string, { name, address, key, others }: ClientPackage, url: string, token: string) {
  const file = path.resolve(`test/clients/programs/${name.replaceAll("-", "_")}.py`)
  return runPython(packages, [file], { [address]: url, [key]: token, ...others })
}
