import type { Worker } from "node:worker_threads"
import { startWorker } from "@/lib/server/platform/start-worker"
import { ServiceError } from "@/lib/shared/errors"
import { abortError, throwIfAborted } from "../abort"
import { FairQueue } from "../fair-queue"
import type { BilledText } from "../token-count"
import type { Growth, TextSource } from "./open-tokenizer"
import type { CountOptions } from "./token-counter"
import type { TokenizerFiles } from "./tokenizer-files"
import type { CountJob, WorkerReply } from "./worker"

/** A large vocabulary takes 200 MiB. Beyond this limit the worker ends, not the process. */
const MAX_MEMORY_MB = 1_024
/** How long a worker may go on with an aborted count before it is terminated. A worker that still loads is not. */
const ABORTED_MS = 500

/** How many requests may wait for one thread. */
const MAX_WAITING = 1_024

interface Job {
  resolve(counts: number[]): void
  reject(reason: unknown): void
  /** Ends the job's turn. */
  end(): void
}

/** Thrown when a tokenizer cannot be opened. Only the operator sees the message. */
export class BadTokenizer extends Error {}

/**
 * One tokenizer in its own worker, which counts job by job. Accounts take turns, so an account with many texts delays
 * another by two jobs at most: the one that runs, and the next one. When the worker dies, its job fails and the next job
 * starts a new worker.
 *
 * Replaces piscina, which would end the worker as soon as its job is aborted. Loading a tokenizer again takes longer
 * than most counts.
 */
export class TokenizerThread {
  readonly #turns = new FairQueue(1, MAX_WAITING)
  #worker: Worker | null = null
  #isLoading = false
  #job: Job | null = null
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
   * Returns each text's tokens, when it is the account's turn. Rejects with `upstream_error` when one cannot be counted, with
   * `capacity_exceeded` when too many requests wait, with `model_unavailable` after `close`, or with the abort's reason.
   */
  async count(
    texts: BilledText[],
    signal: AbortSignal,
    { specials = "as text", caller }: CountOptions = {},
  ): Promise<number[]> {
    const leave = await this.#turns.enter(caller?.accountId ?? "", signal)
    try {
      throwIfAborted(signal)
      if (this.#isClosed) throw new ServiceError("model_unavailable")
      const worker = this.#worker ?? this.#start()
      worker.postMessage({ texts: texts.map(sourceOf), specials } satisfies CountJob)
      worker.ref()
    } catch (error) {
      leave()
      throw error
    }
    return this.#reply(leave, signal)
  }

  /** Ends the worker and rejects its jobs. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#isClosed = true
    this.#worker = null
    this.#turns.clear(new ServiceError("model_unavailable"))
    this.#end((job) => job.reject(new ServiceError("model_unavailable")))
    await worker?.terminate()
  }

  /** Waits for the counts of the job that the worker has. The turn lasts until the worker has ended the job, even an aborted one. */
  #reply(leave: () => void, signal: AbortSignal): Promise<number[]> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        reject(abortError(signal))
        this.#endAborted(job)
      }
      const end = () => {
        signal.removeEventListener("abort", onAbort)
        leave()
      }
      const job = { resolve, reject, end }
      signal.addEventListener("abort", onAbort)
      this.#job = job
    })
  }

  #start(): Worker {
    this.#isLoading = true
    return this.#adopt(start(this.files))
  }

  #adopt(worker: Worker): Worker {
    worker.unref()
    worker.on("message", (reply: WorkerReply) => {
      if (worker !== this.#worker) return
      if ("counts" in reply) this.#finish(reply.counts)
      else this.#isLoading = false
    })
    worker.on("error", () => {})
    worker.on("exit", () => worker === this.#worker && this.#lose())
    this.#worker = worker
    return worker
  }

  #finish(counts: number[] | null): void {
    this.#worker?.unref()
    this.#end((job) => (counts ? job.resolve(counts) : job.reject(failure("a text could not be counted"))))
  }

  /** The worker has died. The next job starts another. */
  #lose(): void {
    this.#worker = null
    this.#end((job) => job.reject(failure("the tokenizer's worker ended")))
  }

  /** Replaces the worker if it still works on this job after a while, which begins once the worker is loaded. */
  #endAborted(aborted: Job, wasLoading = this.#isLoading): void {
    const check = () => {
      if (this.#job !== aborted) return
      if (wasLoading) return this.#endAborted(aborted)
      void this.#worker?.terminate()
      this.#start()
      this.#end(() => {})
    }
    setTimeout(check, ABORTED_MS).unref()
  }

  #end(settle: (job: Job) => void): void {
    const job = this.#job
    this.#job = null
    if (!job) return
    settle(job)
    job.end()
  }
}

/** Copies a text for the worker, because its source may be a view of the whole body. */
const sourceOf = (text: BilledText): TextSource =>
  typeof text === "string"
    ? { isString: false, source: new TextEncoder().encode(text) }
    : { isString: text.kind === "string", source: text.source.slice() }

const failure = (cause: string) => new ServiceError("upstream_error", { cause: new Error(cause) })

const start = (files: TokenizerFiles): Worker =>
  startWorker("tokenizer-worker", new URL("./worker.ts", import.meta.url), {
    workerData: files,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
