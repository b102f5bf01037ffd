import { availableParallelism } from "node:os"
import type { Worker } from "node:worker_threads"
import { startWorker } from "@/lib/server/platform/start-worker"
import { type CheckResult, checkIndex, checkRequest, scanRefusal } from "@/lib/shared/decisions/check-request"
import type { Scanned } from "./json-worker"

/** For bodies up to this size, checking here takes less time than the transfer to a worker and back. */
const SMALL_BODY_BYTES = 256 * 1024

/**
 * One processor is left to the main thread. Two workers keep up with all bodies that `BodyBudget` admits.
 */
const MAX_WORKERS = Math.min(2, Math.max(1, availableParallelism() - 1))

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    reader: RequestReader
  }
}

export interface RequestReader {
  /**
   * Performs step 3 of spec.md's order of checks. A large body is transferred to a worker, so `body` is empty afterwards.
   * `onMemory` then receives the bytes that the request's texts are views of. Rejects when the worker dies or cannot start. The
   * next body gets a new worker.
   */
  read(body: Buffer, onMemory?: (memory: Uint8Array) => void): Promise<CheckResult>
  /** Stops the workers. Pending reads reject. */
  close(): Promise<void>
}

interface ReaderOptions {
  /** Starts a worker. Tests pass workers that die. */
  startWorker?: () => Worker
  maxWorkers?: number
}

/** Reads small requests on this thread and large ones in at most two workers, which start when first needed. */
export function createRequestReader({
  startWorker: start = startJsonWorker,
  maxWorkers = MAX_WORKERS,
}: ReaderOptions = {}): RequestReader {
  const pool = new ScanPool(start, maxWorkers)
  return {
    read: async (body, onMemory) => {
      if (body.length <= SMALL_BODY_BYTES) return checkRequest(body)
      const scanned = await pool.scan(withOwnBuffer(body))
      if (scanned.ok) onMemory?.(scanned.body)
      return scanned.ok ? checkIndex(scanned.body, scanned.nodes) : scanRefusal(scanned.fault, scanned.param)
    },
    close: () => pool.close(),
  }
}

/** Returns the bytes in a buffer that can be transferred. Copies them only when they share a buffer with other data. */
const withOwnBuffer = (body: Buffer): Uint8Array<ArrayBuffer> =>
  body.buffer instanceof ArrayBuffer && body.length === body.buffer.byteLength
    ? new Uint8Array(body.buffer)
    : new Uint8Array(body)

const startJsonWorker = (): Worker => startWorker("json-worker", new URL("./json-worker.ts", import.meta.url))

interface Job {
  body: Uint8Array<ArrayBuffer>
  resolve(scanned: Scanned): void
  reject(error: unknown): void
}

/**
 * Replaces piscina (5.3), whose queued tasks never settle when a thread cannot start: a body would wait for its
 * deadline.
 */
class ScanPool {
  private readonly waiting: Job[] = []
  private readonly idle: Worker[] = []
  private readonly busy = new Map<Worker, Job>()
  private isClosed = false

  constructor(
    private readonly start: () => Worker,
    private readonly maxWorkers: number,
  ) {}

  scan(body: Uint8Array<ArrayBuffer>): Promise<Scanned> {
    if (this.isClosed) return Promise.reject(new Error("the request reader is closed"))
    return new Promise((resolve, reject) => {
      this.waiting.push({ body, resolve, reject })
      this.assign()
    })
  }

  async close(): Promise<void> {
    this.isClosed = true
    const workers = [...this.idle, ...this.busy.keys()]
    for (const job of this.waiting.splice(0)) job.reject(new Error("the request reader is closed"))
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  private assign(): void {
    while (this.waiting.length > 0 && (this.idle.length > 0 || this.busy.size < this.maxWorkers)) {
      const job = this.waiting.shift()
      if (!job) return
      try {
        this.dispatch(job, this.idle.pop() ?? this.add())
      } catch (error) {
        job.reject(error)
      }
    }
  }

  private dispatch(job: Job, worker: Worker): void {
    try {
      worker.postMessage(job.body, [job.body.buffer])
    } catch (error) {
      this.idle.push(worker)
      throw error
    }
    this.busy.set(worker, job)
    worker.ref()
  }

  private add(): Worker {
    const worker = this.start()
    worker.on("message", (scanned: Scanned) => this.finish(worker, scanned))
    worker.on("error", (error) => this.remove(worker, error))
    worker.on("messageerror", () => void worker.terminate())
    worker.on("exit", () => this.remove(worker, new Error("the JSON worker ended")))
    return worker
  }

  private finish(worker: Worker, scanned: Scanned): void {
    const job = this.busy.get(worker)
    this.busy.delete(worker)
    worker.unref()
    this.idle.push(worker)
    job?.resolve(scanned)
    this.assign()
  }

  /** Removes a worker that died. Runs twice when a worker emits both `error` and `exit`. */
  private remove(worker: Worker, error: unknown): void {
    const job = this.busy.get(worker)
    this.busy.delete(worker)
    const position = this.idle.indexOf(worker)
    if (position >= 0) this.idle.splice(position, 1)
    job?.reject(error)
    this.assign()
  }
}
