import type { Worker } from "node:worker_threads"
import { startWorker } from "@/lib/server/platform/start-worker"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import type { RawAnswer } from "@/questions/question-types"
import { abortError, throwIfAborted } from "../abort"
import { pack } from "./pack"
import type { LexicalJob, LexicalReply } from "./worker"

interface Waiting {
  resolve(answers: RawAnswer[]): void
  reject(reason: unknown): void
}

/**
 * Applies the keyword rules to large requests in one worker, which starts when first needed. Replaces piscina, which would end the
 * worker, and with it the loaded word lists, as soon as a job is aborted.
 */
export class LexicalThread {
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #lastId = 0
  #isClosed = false

  /** Rejects with `upstream_error` when the rules fail or the worker dies, `model_unavailable` after `close`, or the abort's reason. */
  async answer(request: CheckedRequest, signal: AbortSignal): Promise<RawAnswer[]> {
    throwIfAborted(signal)
    if (this.#isClosed) throw new ServiceError("model_unavailable")
    const id = ++this.#lastId
    const onAbort = () => {
      if (!this.#waiting.has(id)) return
      this.#waiting.get(id)?.reject(abortError(signal))
      this.#post({ aborted: id })
    }
    signal.addEventListener("abort", onAbort)
    try {
      return await new Promise<RawAnswer[]>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        this.#post({ id, packed: pack({ state: request.state, questions: request.questions }) })
      })
    } finally {
      signal.removeEventListener("abort", onAbort)
    }
  }

  /** Ends the worker and rejects what waits for it. */
  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    this.#worker = null
    this.#rejectAll(new ServiceError("model_unavailable"))
    await worker?.terminate()
  }

  #post(job: LexicalJob): void {
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage(job)
  }

  #start(): Worker {
    const worker = startWorker("lexical-worker", new URL("./worker.ts", import.meta.url))
    worker.on("message", ({ id, answers }: LexicalReply) => {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) worker.unref()
      if (answers) waiting?.resolve(answers)
      else waiting?.reject(failed("the keyword rules failed"))
    })
    worker.on("error", () => {})
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = null
      this.#rejectAll(failed("the keyword scorer's worker ended"))
    })
    return worker
  }

  #rejectAll(reason: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
  }
}

const failed = (message: string): ServiceError => new ServiceError("upstream_error", { cause: new Error(message) })
