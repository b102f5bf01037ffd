import { readFileSync } from "node:fs"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { modelKindOf, UnusableModel } from "@/lib/server/engines/own/decision-type"
import { binariesFor, ensurePackages, NATIVE_VERSION } from "@/lib/server/engines/own/engine-packages"
import type { EngineSettings } from "@/lib/server/engines/own/engine-program"
import { readGgufHeader } from "@/lib/server/engines/own/gguf-header"
import { ensureModelFile, movedMainLine } from "@/lib/server/engines/own/model-file"
import { gigabytes } from "@/lib/server/engines/own/progress"
import { type OwnEngineAddress, type OwnEngineEntries, OwnEngines } from "@/lib/server/engines/own-engines"
import type { OwnModel } from "@/lib/server/models/own-model"
import { BadSetting, type Env, programEnv } from "@/lib/server/platform/env"
import { outboundFetch } from "@/lib/server/platform/outbound"
import { runtime } from "@/lib/server/platform/runtime"
import type { ToEngine } from "./engine-process"
import { programFile, SupervisedProcess } from "./supervised-process"

const engineFolder = (dataDir: string): string => path.resolve(dataDir, "engine")
const runningRecord = (dataDir: string): string => path.join(engineFolder(dataDir), "running.json")

/** Returns the engines of the latest server with this `DATA_DIR`, for commands. That server may have ended. */
export function runningEngines(dataDir: string): OwnEngines {
  try {
    return new OwnEngines(JSON.parse(readFileSync(runningRecord(dataDir), "utf8")) as OwnEngineEntries)
  } catch {
    return new OwnEngines()
  }
}

/** Records the engines of this server for `runningEngines`. Writes nothing without one, because the folder may be read-only then. */
export async function recordRunning(dataDir: string, entries: OwnEngineEntries): Promise<void> {
  if (entries.length === 0) return fs.rm(runningRecord(dataDir), { force: true })
  await fs.mkdir(engineFolder(dataDir), { recursive: true })
  await fs.writeFile(runningRecord(dataDir), JSON.stringify(entries))
}

/** What to load, and how to report on it. */
interface Wanted {
  source: string
  /** The sources of models that exist. */
  known: readonly string[]
  print(line: string): void
  /** Cancels the preparation. What was downloaded stays. */
  signal?: AbortSignal
  /** Receives how much of a download is done. By default the terminal shows it. */
  onProgress?(doneBytes: number, totalBytes: number): void
  /** Called before the hub is asked, and when another download has to end first. Without it, the terminal shows the latter. */
  onDownload?(): void
}

/** A model whose file and packages are on this machine. */
interface Prepared {
  model: OwnModel
  /** Loads it in a process of its own. Rejects with an error that says why it cannot be used. */
  load(signal?: AbortSignal): Promise<OwnEngine>
}

/** Throws for a file that is larger than the memory that is left. The engine estimates the rest when it loads the file. */
function checkMemory(bytes: number): void {
  const available = process.availableMemory()
  if (bytes > available)
    throw new UnusableModel(
      `The model needs more than ${gigabytes(bytes)} of memory, and ${gigabytes(available)} are available.`,
    )
}

/** A model that the service runs itself, in a process of its own, on a Unix socket. */
export class OwnEngine {
  readonly #process: SupervisedProcess<{ type: "ready" }>

  private constructor(
    readonly model: OwnModel,
    private readonly folder: string,
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

  get address(): OwnEngineAddress {
    return { socketPath: path.join(this.folder, "engine.sock"), source: this.model.source }
  }

  /**
   * Loads the model of `ENGINE_GGUF`. Returns null without it, and for a process that serves only the console. `known` are the sources of
   * models that exist. Throws `BadSetting` with one line that says why the model cannot be used.
   */
  static async start(env: Env, known: readonly string[]): Promise<OwnEngine | null> {
    if (!env.ENGINE_GGUF || env.SERVE === "console") return null
    const print = (line: string) => void process.stderr.write(`${line}\n`)
    try {
      const prepared = await OwnEngine.prepare(env, { source: env.ENGINE_GGUF, known, print })
      return await prepared.load()
    } catch (error) {
      throw error instanceof Error ? new BadSetting(`ENGINE_GGUF cannot be used. ${error.message}`) : error
    }
  }

  /** Installs the packages and fetches the model where needed. Throws an error with one line that says why the model cannot be used. */
  static async prepare(env: Env, { source, known, print, signal, onProgress, onDownload }: Wanted): Promise<Prepared> {
    const root = engineFolder(env.DATA_DIR)
    const gpu = env.ENGINE_GPU ?? null
    binariesFor(gpu)
    const wanted = {
      ...{ source, known, root, endpoint: env.HF_ENDPOINT, print, fetch: outboundFetch(env) },
      ...{ signal, onProgress, onDownload },
      checkSize: (bytes: number) => void (gpu === null && checkMemory(bytes)),
    }
    const found = await ensureModelFile(wanted)
    const { file, sha256 } = found
    const packages = await ensurePackages(root, gpu, print, signal)
    const { kind } = modelKindOf(await readGgufHeader(file))
    const served = path.basename(file).replace(/\.gguf$/i, "")
    const threads = env.ENGINE_THREADS ?? null
    const settings = { packages, version: NATIVE_VERSION, file, sha256, served, gpu, threads }
    const model: OwnModel = { served, kind, sha256, source: found.source }
    const load = async (loading?: AbortSignal) => {
      const engine = await OwnEngine.#load(model, settings, loading)
      // The hub may take long, and no request depends on it.
      void movedMainLine(wanted, found).then((line) => line && print(line))
      return engine
    }
    return { model, load }
  }

  static async #load(model: OwnModel, settings: EngineSettings, signal?: AbortSignal): Promise<OwnEngine> {
    const folder = await fs.mkdtemp(path.join(tmpdir(), "svcd-engine-"))
    const engine = new OwnEngine(model, folder, {
      type: "start",
      settings,
      socketPath: path.join(folder, "engine.sock"),
    })
    const cancel = () => void engine.close()
    signal?.addEventListener("abort", cancel, { once: true })
    try {
      // It may have aborted before the listener was added.
      signal?.throwIfAborted()
      await engine.#process.start()
      return engine
    } catch (error) {
      await engine.close()
      throw error
    } finally {
      signal?.removeEventListener("abort", cancel)
    }
  }

  async close(): Promise<void> {
    await this.#process.close()
    await fs.rm(this.folder, { recursive: true, force: true })
  }
}
