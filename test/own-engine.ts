import { type ChildProcess, execFile, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import * as http from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { ensurePackages, NATIVE_VERSION } from "@/lib/server/engines/own/engine-packages"
import { programFile } from "@/lib/server/start/supervised-process"
import { afterFile } from "./after-file"
import { type TinyModel, writeTinyGguf } from "./doubles/tiny-gguf"

/** Installed by the first test that needs it, and kept for all later runs. */
const PACKAGES = path.resolve("node_modules/.cache/own-engine")

export const enginePackages = (): Promise<string> => ensurePackages(PACKAGES, null, () => {})

export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "svcd-own-"))
  afterFile(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a tiny model and returns its file. */
export async function tinyModelFile(model: TinyModel, name = "tiny.gguf"): Promise<string> {
  const file = path.join(await testFolder(), name)
  writeTinyGguf(file, model)
  return file
}

export interface RunningEngine {
  child: ChildProcess
  socketPath: string
  get(route: string): Promise<Record<string, unknown>>
  post(route: string, body: unknown, signal?: AbortSignal): Promise<{ status: number; body: Record<string, never> }>
}

function send(socketPath: string, method: string, route: string, body?: unknown, signal?: AbortSignal) {
  return new Promise<{ status: number; body: Record<string, never> }>((resolve, reject) => {
    const request = http.request({ socketPath, method, path: route, ...(signal ? { signal } : {}) }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk
      })
      response
        .on("end", () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
        .on("error", reject)
    })
    request.on("error", reject).end(typeof body === "object" ? JSON.stringify(body) : body)
  })
}

/** Runs the engine's program on a tiny model, or on a file. Rejects with the reason that the program sends when it fails. */
export async function startOwnEngine(model: TinyModel | string): Promise<RunningEngine> {
  const file = typeof model === "string" ? model : await tinyModelFile(model)
  const folder = await testFolder()
  const settings = { packages: await enginePackages(), version: NATIVE_VERSION, file, sha256: "0".repeat(64) }
  const child = fork(programFile("engine-process"), { execArgv: ["--import", "tsx"] })
  afterFile(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  })
  const socketPath = path.join(folder, "engine.sock")
  child.send({ type: "start", settings: { ...settings, served: "tiny", gpu: null }, socketPath })
  const [message] = (await once(child, "message")) as [{ type: string; reason?: string }]
  if (message.type !== "ready") throw new Error(message.reason)
  return {
    child,
    socketPath,
    get: async (route) => (await send(socketPath, "GET", route)).body,
    post: (route, body, signal) => send(socketPath, "POST", route, body, signal),
  }
}

export interface DirectRead {
  prompt: string
  labels: string[]
}

/** Reads the logits of labels with node-llama-cpp alone: each prompt in one piece, in a context of its own. */
export async function directLogits(file: string, reads: DirectRead[]): Promise<number[][]> {
  const job = path.join(await testFolder(), "job.json")
  await writeFile(job, JSON.stringify({ file, reads, packages: await enginePackages() }))
  const { stdout } = await promisify(execFile)(process.execPath, ["test/doubles/direct-logits.mjs", job])
  return JSON.parse(stdout) as number[][]
}
