import { writeFile } from "node:fs/promises"
import path from "node:path"
import { startPythonServer } from "../python-packages"
import { tempFolder } from "../temp-folder"
import { QUIET } from "./run-client"

/** What clients send as their key. LiteLLM does not start without a long one. */
export const PROXY_KEY = `sk-${"0123456789abcdef".repeat(4)}`

/** Starts a LiteLLM proxy with one model, until the test file ends. Returns its address. */
export async function startLiteLlmProxy(packages: string, modelName: string, params: object): Promise<string> {
  const config = path.join(tempFolder(), "config.json")
  await writeFile(config, JSON.stringify({ model_list: [{ model_name: modelName, litellm_params: params }] }))
  const program = "from litellm import run_server; run_server()"
  const args = (port: number) => ["-c", program, "--config", config, "--port", `${port}`]
  return startPythonServer(packages, args, { ...QUIET, LITELLM_MASTER_KEY: PROXY_KEY })
}
