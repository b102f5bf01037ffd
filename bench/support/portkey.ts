import { execFile, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import path from "node:path"
import { promisify } from "node:util"
import { freePort } from "../../test/free-port"
import { own, type Started, stop, untilReady } from "./processes"

const BENCH = path.resolve(import.meta.dirname, "..")
const START = path.join(BENCH, "node_modules/@portkey-ai/gateway/build/start-server.js")

/** Installs the packages of bench/package.json if they are missing. The service itself does not need them. */
async function install(): Promise<void> {
  if (existsSync(START)) return
  console.log("Installing Portkey's gateway into bench/node_modules…")
  await promisify(execFile)("npm", [
    "ci",
    "--include=dev",
    "--prefix",
    BENCH,
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
  ])
}

/** Starts Portkey's gateway, which relays chat completions and has no accounts. */
export async function startPortkey(): Promise<Started> {
  await install()
  const port = await freePort()
  const child = own(
    spawn(process.execPath, [START, "--headless", `--port=${port}`], {
      cwd: BENCH,
      env: { PATH: process.env.PATH, NODE_ENV: "production", TRUSTED_CUSTOM_HOSTS: "127.0.0.1" },
      stdio: ["ignore", "ignore", "inherit"],
    }),
  )
  await untilReady(`http://127.0.0.1:${port}/`, child)
  return { port, pid: child.pid ?? 0, stop: () => stop(child) }
}

/** Returns the headers with which Portkey relays to an engine on this machine. */
export const portkeyHeaders = (enginePort: number): Record<string, string> => ({
  authorization: "Bearer anything",
  "x-portkey-provider": "openai",
  "x-portkey-custom-host": `http://127.0.0.1:${enginePort}/v1`,
})
