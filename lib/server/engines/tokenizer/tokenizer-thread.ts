import type { Worker } from "node:worker_threads"
import { startWorker } from "@/lib/server/platform/start-worker"
import { ServiceError } from "@/lib/shared/errors"
import { abortError, throwIfAborted } from "../abort"
import type { Growth, TextSource } from "./open-tokenizer"
import type { SpecialTokens } from "./token-counter"
import type { TokenizerFiles } from "./tokenizer-files"
import type { CountJob, WorkerReply } from "./worker"

/** A large vocabulary takes 200 MiB. Beyond this limit the worker ends, not the process. */
const MAX_MEMORY_MB = 1_024
/**
 * The interval at which a worker with an aborted count is checked. If it is still busy at two checks in a row, it is
 * terminated.
 */
const ABORTED_MS = 500

interface Job extends CountJob {
  resolve(counts: number[]): void
  reject(reason: unknown): void
}

/** Thrown when a tokenizer cannot be opened. Only the operator sees the message. */
export class BadTokenizer extends Error {}

/**
 * One tokenizer in its own worker, which counts job by job. When the worker dies, its current job fails and the other
 * jobs continue in a new worker.
 *
 * Replaces piscina, which would end the worker as soon as its job is aborted. Loading a tokenizer again takes longer
 * than most counts.
 */
export class TokenizerThread {
  /** In the order in which the worker processes them. */
  readonly #jobs = new Map<number, Job>()
  #worker: Worker | null = null
  #lastId = 0
  #isClosed = false

  private constructor(
    private readonly files: TokenizerFiles,
    readonly growth: Growth,
    worker: Worker,
  ) {
    this.#adopt(worker)
  }

  /** Opens a tokenizer. Rejects with `BadTokenizer` when the files are not one. */
  static async open(files: TokenizerFiles): Promise<TokenizerThread> {
    const worker = start(files)
    const growth = await new Promise<Growth>((resolve, reject) => {
      worker.once("message", (message: { growth: Growth }) => resolve(message.growth))
      worker.once("error", (cause) => reject(new BadTokenizer("The files are not a tokenizer.", { cause })))
      worker.once("exit", () => reject(new BadTokenizer("The tokenizer did not open.")))
    })
    for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event)
    return new TokenizerThread(files, growth, worker)
  }

  /**
   * Returns each text's tokens. Rejects with `upstream_error` when one cannot be counted, or with the abort's reason.
   */
  async count(texts: TextSource[], signal: AbortSignal, specials: SpecialTokens = "as text"): Promise<number[]> {
    throwIfAborted(signal)
    if (this.#isClosed) throw new ServiceError("model_unavailable")
    const id = ++this.#lastId
    const onAbort = () => {
      this.#jobs.get(id)?.reject(abortError(signal))
      this.#endWhenWorking(id)
    }
    signal.addEventListener("abort", onAbort)
    try {
      return await new Promise<number[]>((resolve, reject) => {
        const job = { id, texts, specials, resolve, reject }
        this.#jobs.set(id, job)
        this.#send(job)
      })
    } finally {
      signal.removeEventListener("abort", onAbort)
    }
  }

  /** Ends the worker and rejects its jobs. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#jobs.values()) job.reject(new ServiceError("model_unavailable"))
    this.#jobs.clear()
    await this.#worker?.terminate()
  }

  #send({ id, texts, specials }: CountJob): void {
    const worker = this.#worker ?? this.#adopt(start(this.files))
    worker.ref()
    worker.postMessage({ id, texts, specials } satisfies CountJob)
  }

  #adopt(worker: Worker): Worker {
    worker.unref()
    worker.on("message", (reply: WorkerReply) => "id" in reply && this.#finish(reply))
    worker.on("error", () => {})
    worker.on("exit", () => this.#replace(worker))
    this.#worker = worker
    return worker
  }

  #finish({ id, counts }: { id: number; counts: number[] | null }): void {
    const job = this.#jobs.get(id)
    this.#jobs.delete(id)
    if (this.#jobs.size === 0) this.#worker?.unref()
    if (counts) job?.resolve(counts)
    else job?.reject(new ServiceError("upstream_error", { cause: new Error("a text could not be counted") }))
  }

  /**
   * Ends the worker when it still works on this job at two checks in a row. It does jobs in order, so the oldest is
   * current.
   */
  #endWhenWorking(id: number, wasWorking = false): void {
    const check = () => {
      if (!this.#jobs.has(id)) return
      const [working] = this.#jobs.keys()
      if (working === id && wasWorking) void this.#worker?.terminate()
      else this.#endWhenWorking(id, working === id)
    }
    setTimeout(check, ABORTED_MS).unref()
  }

  #replace(dead: Worker): void {
    if (this.#isClosed || dead !== this.#worker) return
    this.#worker = null
    const [working, ...others] = this.#jobs.values()
    if (!working) return
    this.#jobs.delete(working.id)
    working.reject(new ServiceError("upstream_error", { cause: new Error("the tokenizer's worker ended") }))
    for (const job of others) this.#send(job)
  }
}

const start = (files: TokenizerFiles): Worker =>
  startWorker("tokenizer-worker", new URL("./worker.ts", import.meta.url), {
    workerData: files,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
