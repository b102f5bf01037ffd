import { readFileSync } from "node:fs"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { modelKindOf } from "@/lib/server/engines/own/decision-type"
import { binariesFor, ensurePackages, NATIVE_VERSION } from "@/lib/server/engines/own/engine-packages"
import { readGgufHeader } from "@/lib/server/engines/own/gguf-header"
import { ensureModelFile, movedMainLine } from "@/lib/server/engines/own/model-file"
import type { OwnModel } from "@/lib/server/models/own-model"
import { BadSetting, type Env, programEnv } from "@/lib/server/platform/env"
import { outboundFetch } from "@/lib/server/platform/outbound"
import { runtime } from "@/lib/server/platform/runtime"
import type { ToEngine } from "./engine-process"
import { programFile, SupervisedProcess } from "./supervised-process"

const engineFolder = (dataDir: string): string => path.resolve(dataDir, "engine")
const socketRecord = (dataDir: string): string => path.join(engineFolder(dataDir), "socket")

/**
 * Returns the socket of the latest engine of a server with this `DATA_DIR`, for commands. That server may have ended. Null when none
 * was started.
 */
export function runningSocket(dataDir: string): string | null {
  try {
    return readFileSync(socketRecord(dataDir), "utf8")
  } catch {
    return null
  }
}

/** The model of `ENGINE_GGUF` in a process of its own, on a Unix socket. */
export class OwnEngine {
  readonly #process: SupervisedProcess<{ type: "ready" }>

  private constructor(
    readonly model: OwnModel,
    private readonly folder: string,
    private readonly record: string,
    message: ToEngine,
  ) {
    let isStarted = false
    const probe = () => void (isStarted && runtime().engines.probeOwn())
    this.#process = new SupervisedProcess({
      name: "engine",
      program: programFile("engine-process"),
      // The addon gets no secret of the service.
      env: programEnv(),
      startMessage: () => message,
      onReady: () => {
        probe()
        isStarted = true
      },
      onEnd: probe,
    })
  }

  get socketPath(): string {
    return path.join(this.folder, "engine.sock")
  }

  /**
   * Installs the packages and fetches the model where needed, then loads it. Returns null without `ENGINE_GGUF`, and for a process
   * that serves only the console. `known` are the sources of models that exist. Throws `BadSetting` with one line that says why the model cannot be used.
   */
  static async start(env: Env, known: readonly string[]): Promise<OwnEngine | null> {
    if (!env.ENGINE_GGUF || env.SERVE === "console") return null
    try {
      return await OwnEngine.#start(env, env.ENGINE_GGUF, known)
    } catch (error) {
      throw error instanceof Error ? new BadSetting(`ENGINE_GGUF cannot be used. ${error.message}`) : error
    }
  }

  static async #start(env: Env, source: string, known: readonly string[]): Promise<OwnEngine> {
    const print = (line: string) => void process.stderr.write(`${line}\n`)
    const root = engineFolder(env.DATA_DIR)
    const gpu = env.ENGINE_GPU ?? null
    binariesFor(gpu)
    const wanted = { source, known, root, endpoint: env.HF_ENDPOINT, print, fetch: outboundFetch(env) }
    const found = await ensureModelFile(wanted)
    const { file, sha256 } = found
    const packages = await ensurePackages(root, gpu, print)
    const { kind } = modelKindOf(await readGgufHeader(file))
    const served = path.basename(file).replace(/\.gguf$/i, "")
    const folder = await fs.mkdtemp(path.join(tmpdir(), "svcd-engine-"))
    const threads = env.ENGINE_THREADS ?? null
    const settings = { packages, version: NATIVE_VERSION, file, sha256, served, gpu, threads }
    const message = { type: "start" as const, settings, socketPath: path.join(folder, "engine.sock") }
    const engine = new OwnEngine(
      { served, kind, sha256, source: found.source },
      folder,
      socketRecord(env.DATA_DIR),
      message,
    )
    try {
      await engine.#process.start()
      await fs.writeFile(engine.record, engine.socketPath)
    } catch (error) {
      await engine.close()
      throw error
    }
    // The hub may take long, and no request depends on it.
    void movedMainLine(wanted, found).then((line) => line && print(line))
    return engine
  }

  async close(): Promise<void> {
    await this.#process.close()
    await fs.rm(this.folder, { recursive: true, force: true })
  }
}
