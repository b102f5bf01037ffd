import { availableParallelism } from "node:os"
import type { Worker } from "node:worker_threads"
import type { Scanned } from "@/lib/server/json/scan-large"
import { startWorker } from "@/lib/server/platform/start-worker"
import { type CheckResult, checkIndex, checkRequest, refusedScan } from "@/lib/shared/decisions/check-request"

/** Up to this many bytes a check is shorter than the way to a worker and back. */
const SMALL_BODY_BYTES = 256 * 1024

/** One processor is left to the thread that answers, and two of them read whatever the budget for bodies holds. */
const MOST_WORKERS = Math.min(2, Math.max(1, availableParallelism() - 1))

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    reader: RequestReader
  }
}

export interface RequestReader {
  /**
   * Step 3 of spec.md's order of checks. A large body is moved to a worker and back: the caller's buffer is empty afterwards.
   * Rejects when the worker dies; the next body gets a fresh one.
   */
  read(body: Buffer): Promise<CheckResult>
  /** Stops the workers; what they were reading rejects. */
  close(): Promise<void>
}

interface ReaderOptions {
  /** Makes a worker; for tests of workers that die. */
  startWorker?: () => Worker
  /** How many at once; for tests. */
  mostWorkers?: number
}

/** Reads requests: small ones on this thread, large ones in a worker or two, which start when they are first needed. */
export function createRequestReader({
  startWorker: start = startJsonWorker,
  mostWorkers = MOST_WORKERS,
}: ReaderOptions = {}): RequestReader {
  const pool = new ScanPool(start, mostWorkers)
  return {
    read: async (body) => {
      if (body.length <= SMALL_BODY_BYTES) return checkRequest(body)
      const scanned = await pool.scan(whole(body))
      return scanned.ok ? checkIndex(scanned.body, scanned.nodes) : refusedScan(scanned.fault, scanned.param)
    },
    close: () => pool.close(),
  }
}

/** The bytes in a buffer of their own, which can be moved to another thread; copied only where they share one. */
const whole = (body: Buffer): Uint8Array<ArrayBuffer> =>
  body.buffer instanceof ArrayBuffer && body.length === body.buffer.byteLength
    ? new Uint8Array(body.buffer)
    : new Uint8Array(body)

const startJsonWorker = (): Worker => startWorker("json-worker", new URL("../json/worker.ts", import.meta.url))

interface Job {
  body: Uint8Array<ArrayBuffer>
  resolve(scanned: Scanned): void
  reject(error: unknown): void
}

class ScanPool {
  private readonly waiting: Job[] = []
  private readonly idle: Worker[] = []
  private readonly busy = new Map<Worker, Job>()
  private isClosed = false

  constructor(
    private readonly start: () => Worker,
    private readonly mostWorkers: number,
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
    while (this.waiting.length > 0 && (this.idle.length > 0 || this.busy.size < this.mostWorkers)) {
      const job = this.waiting.shift()
      if (!job) return
      try {
        this.hand(job, this.idle.pop() ?? this.add())
      } catch (error) {
        job.reject(error)
      }
    }
  }

  private hand(job: Job, worker: Worker): void {
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

  /** Takes a worker out that died, which is told twice: by its error and by its end. */
  private remove(worker: Worker, error: unknown): void {
    const job = this.busy.get(worker)
    this.busy.delete(worker)
    const position = this.idle.indexOf(worker)
    if (position >= 0) this.idle.splice(position, 1)
    job?.reject(error)
    this.assign()
  }
}
