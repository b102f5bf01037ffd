import { availableParallelism } from "node:os"
import type { Worker } from "node:worker_threads"

/** How many workers read large bodies. One processor is left to the main thread. Two keep up with all bodies that `BodyBudget` admits. */
export const BODY_WORKERS = Math.min(2, Math.max(1, availableParallelism() - 1))

/** Returns the bytes in a buffer that can be transferred. Copies them only when they share a buffer with other data. */
export const withOwnBuffer = (body: Buffer): Uint8Array<ArrayBuffer> =>
  body.buffer instanceof ArrayBuffer && body.length === body.buffer.byteLength
    ? new Uint8Array(body.buffer)
    : new Uint8Array(body)

interface Job<Sent, Result> {
  sent: Sent
  transferred: ArrayBuffer[]
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Workers that start when first needed and answer each message with one message. `run` rejects when its worker dies or cannot
 * start; the next job gets a new worker. Replaces piscina (5.3), whose queued tasks never settle when a thread cannot start.
 */
export class WorkerPool<Sent, Result> {
  private readonly waiting: Job<Sent, Result>[] = []
  private readonly idle: Worker[] = []
  private readonly busy = new Map<Worker, Job<Sent, Result>>()
  private isClosed = false

  constructor(
    private readonly start: () => Worker,
    private readonly maxWorkers: number,
  ) {}

  /** Sends a message to the next free worker, in order of arrival, and returns its answer. */
  run(sent: Sent, transferred: ArrayBuffer[]): Promise<Result> {
    if (this.isClosed) return Promise.reject(new Error("the workers are closed"))
    return new Promise((resolve, reject) => {
      this.waiting.push({ sent, transferred, resolve, reject })
      this.assign()
    })
  }

  /** Stops the workers. Pending jobs reject. */
  async close(): Promise<void> {
    this.isClosed = true
    const workers = [...this.idle, ...this.busy.keys()]
    for (const job of this.waiting.splice(0)) job.reject(new Error("the workers are closed"))
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

  private dispatch(job: Job<Sent, Result>, worker: Worker): void {
    try {
      worker.postMessage(job.sent, job.transferred)
    } catch (error) {
      this.idle.push(worker)
      throw error
    }
    this.busy.set(worker, job)
    worker.ref()
  }

  private add(): Worker {
    const worker = this.start()
    worker.on("message", (result: Result) => this.finish(worker, result))
    worker.on("error", (error) => this.remove(worker, error))
    worker.on("messageerror", () => void worker.terminate())
    worker.on("exit", () => this.remove(worker, new Error("the worker ended")))
    return worker
  }

  private finish(worker: Worker, result: Result): void {
    const job = this.busy.get(worker)
    this.busy.delete(worker)
    worker.unref()
    this.idle.push(worker)
    job?.resolve(result)
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
