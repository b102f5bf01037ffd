import { setImmediate } from "node:timers/promises"
import type { Worker } from "node:worker_threads"
import { startWorker } from "@/lib/server/platform/start-worker"
import { BODY_WORKERS, WorkerPool, withOwnBuffer } from "@/lib/server/platform/worker-pool"
import {
  type CheckResult,
  isSteps,
  type ReadBody,
  refusalOf,
  requestOf,
  type Steps,
  scanRefusal,
} from "@/lib/shared/decisions/check-request"
import { JsonNode } from "@/lib/shared/json/request-index"
import { scan } from "@/lib/shared/json/scan"
import type { Scanned } from "./json-worker"

/** For bodies up to this size, checking here takes less time than the transfer to a worker and back. */
const SMALL_BODY_BYTES = 256 * 1024

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    reader: RequestReader
  }
}

type OnMemory = (memory: Uint8Array) => void

export interface RequestReader {
  /**
   * Performs step 3 of spec.md's order of checks, by `form` for a body of another form. A large body is transferred to a worker, so
   * `body` is empty afterwards. `onMemory` then receives the bytes that the request's texts are views of. Rejects when the worker dies
   * or cannot start. The next body gets a new worker.
   */
  read<Request>(body: Buffer, onMemory: OnMemory | undefined, form: ReadBody<Request>): Promise<CheckResult<Request>>
  read(body: Buffer, onMemory?: OnMemory): Promise<CheckResult>
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
  maxWorkers = BODY_WORKERS,
}: ReaderOptions = {}): RequestReader {
  const pool = new WorkerPool<Uint8Array<ArrayBuffer>, Scanned>(start, maxWorkers)
  function read<Request>(
    body: Buffer,
    onMemory: OnMemory | undefined,
    form: ReadBody<Request>,
  ): Promise<CheckResult<Request>>
  function read(body: Buffer, onMemory?: OnMemory): Promise<CheckResult>
  async function read(
    body: Buffer,
    onMemory?: OnMemory,
    form: ReadBody<unknown> = requestOf,
  ): Promise<CheckResult<unknown>> {
    if (body.length <= SMALL_BODY_BYTES) {
      const bytes = new Uint8Array(body.buffer, body.byteOffset, body.length)
      const scanned = scan(bytes)
      return scanned.ok ? checkInSlices(bytes, scanned.nodes, form) : scanRefusal(scanned.fault, scanned.path)
    }
    const own = withOwnBuffer(body)
    const scanned = await pool.run(own, [own.buffer])
    if (scanned.ok) onMemory?.(scanned.body)
    return scanned.ok ? checkInSlices(scanned.body, scanned.nodes, form) : scanRefusal(scanned.fault, scanned.path)
  }
  return {
    read,
    close: () => pool.close(),
  }
}

/** How long a check that is made in steps holds the thread, in ms, before others have a turn. */
const SLICE_MS = 10

/** Checks a scanned body by its index. Makes the steps of a check in slices. */
async function checkInSlices<Request>(
  body: Uint8Array,
  nodes: Int32Array,
  form: ReadBody<Request>,
): Promise<CheckResult<Request>> {
  try {
    const read = form(new JsonNode(body, nodes))
    return { ok: true, request: isSteps(read) ? await inSlices(read) : read }
  } catch (error) {
    return refusalOf(error)
  }
}

async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (let began = performance.now(); ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - began < SLICE_MS) continue
    await setImmediate()
    began = performance.now()
  }
}

const startJsonWorker = (): Worker => startWorker("json-worker", new URL("./json-worker.ts", import.meta.url))
