import { fork } from "node:child_process"
import { once } from "node:events"
import * as http from "node:http"
import path from "node:path"
import { inject } from "vitest"
import { ensurePackages, NATIVE_VERSION } from "@/lib/server/engines/own/engine-packages"
import { afterFile } from "./after-file"
import type { DirectRead, HostJob, HostResult } from "./doubles/engine-host"
import { type TinyModel, writeTinyGguf } from "./doubles/tiny-gguf"
import { tempFolder } from "./temp-folder"

/** Installed by the first test that needs it, and kept for all later runs. */
const PACKAGES = path.resolve("node_modules/.cache/own-engine")

export const enginePackages = (): Promise<string> => ensurePackages(PACKAGES, null, () => {})

/** Writes a tiny model and returns its file. */
export async function tinyModelFile(model: TinyModel, name = "tiny.gguf"): Promise<string> {
  const file = path.join(tempFolder(), name)
  writeTinyGguf(file, model)
  return file
}

export interface RunningEngine {
  get(route: string): Promise<Record<string, unknown>>
  post(route: string, body: unknown): Promise<{ status: number; body: Record<string, never> }>
}

function send(socketPath: string, method: string, route: string, body?: unknown) {
  return new Promise<{ status: number; body: Record<string, never> }>((resolve, reject) => {
    const request = http.request({ socketPath, method, path: route }, (response) => {
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

/** Sends jobs to one process that lives as long as the test file, because each start takes seconds. */
class EngineHost {
  readonly #child = fork(path.join(inject("programs"), "engine-host.js"), { execArgv: [] })
  readonly #results = new Map<number, (result: HostResult) => void>()
  #jobs = 0

  constructor() {
    this.#child.on("message", (result: HostResult) => this.#results.get(result.id)?.(result))
    this.#child.once("exit", () => {
      for (const [id, resolve] of this.#results) resolve({ id, failure: "the host of the engines ended" })
    })
  }

  async run(job: Omit<Extract<HostJob, { do: "serve" }>, "id"> | Omit<Extract<HostJob, { do: "read" }>, "id">) {
    const id = ++this.#jobs
    const result = await new Promise<HostResult>((resolve) => {
      this.#results.set(id, resolve)
      this.#child.send({ ...job, id } satisfies HostJob)
    })
    if (result.failure !== undefined) throw new Error(result.failure)
    return result
  }

  async close(): Promise<void> {
    const ended = once(this.#child, "exit")
    if (this.#child.kill("SIGKILL")) await ended
  }
}

let host: EngineHost | null = null

function hostOfFile(): EngineHost {
  if (host) return host
  const started = new EngineHost()
  host = started
  afterFile(() => {
    host = null
    return started.close()
  })
  return started
}

/**
 * Serves a tiny model, or a file, as the engine's program does. Rejects with the reason that the program prints when it fails.
 * The program itself runs in `lib/server/start/own-engine.slow.test.ts`.
 */
export async function startOwnEngine(model: TinyModel | string): Promise<RunningEngine> {
  const file = typeof model === "string" ? model : await tinyModelFile(model)
  const socketPath = path.join(tempFolder(), "engine.sock")
  const packages = await enginePackages()
  // Several threads wait for each other in loops, which takes most of the processor time of a loaded machine.
  const facts = { version: NATIVE_VERSION, sha256: "0".repeat(64), served: "tiny" }
  const settings = { ...facts, packages, file, gpu: null, threads: 1 }
  await hostOfFile().run({ do: "serve", packages, settings, socketPath })
  return {
    get: async (route) => (await send(socketPath, "GET", route)).body,
    post: (route, body) => send(socketPath, "POST", route, body),
  }
}

/** Reads the logits of labels with node-llama-cpp alone: each prompt in one piece, in a context of its own. */
export async function directLogits(file: string, reads: DirectRead[]): Promise<number[][]> {
  const { logits = [] } = await hostOfFile().run({ do: "read", packages: await enginePackages(), file, reads })
  return logits
}
