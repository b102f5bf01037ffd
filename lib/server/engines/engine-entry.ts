import { ServiceError } from "@/lib/shared/errors"
import { ConnectionFailure } from "./breaker"
import type { Engine, TakePlace } from "./engine"
import { FairQueue, type Priority } from "./fair-queue"
import type { Monitor } from "./monitor"

export type Work<T> = (engine: Engine, take: TakePlace) => Promise<T>

export interface WorkOptions {
  /** False when no answer needs a call to the engine (`needsCall`). The outcome then says nothing about the engine. */
  makesCalls?: boolean
  priority?: Priority
  /**
   * True for a state of a batch. Batches leave a part of the engine to single requests, so that none waits for a whole batch. Not as
   * `background`: within their part, states take turns with single requests, because a client waits for them.
   */
  isOfBatch?: boolean
}

export interface EngineHandle {
  /**
   * Runs `work` when the request has a place at the engine. Rejects with `capacity_exceeded` when too many requests wait, and with
   * `model_unavailable` when the engine became unavailable meanwhile. Also rejects with the abort's reason, or with
   * what `work` throws. `work` may make one call at a time, plus one for each place that it takes.
   */
  run<T>(accountId: string, signal: AbortSignal, work: Work<T>, options?: WorkOptions): Promise<T>
  /**
   * Runs `work` without a place, such as counting tokens: a request that waits for a tokenizer must not keep others from
   * the engine. The engine stays open meanwhile. Rejects with `model_unavailable` or with what `work` throws.
   */
  withoutPlace<T>(work: (engine: Engine) => T | Promise<T>): Promise<T>
}

/** For requests that were not sent, so that another engine of the model may get them. */
const notSent = () =>
  new ServiceError("model_unavailable", { cause: new ConnectionFailure("the engine became unavailable before") })

/** An engine with its queue. `monitor` is null for the built-in engine, which is always available. */
export class EngineEntry implements EngineHandle {
  #running = 0
  #isRetired = false
  #isClosed = false
  #idle: (() => void)[] = []

  constructor(
    readonly engine: Engine,
    readonly queue: FairQueue,
    readonly monitor: Monitor | null,
    /** The places for states of batches. Each needs a place in `queue` too. */
    readonly batches = new FairQueue(1),
  ) {}

  /** Requests that run here, those that wait for a place included. */
  get calls(): number {
    return this.#running
  }

  run<T>(accountId: string, signal: AbortSignal, work: Work<T>, options: WorkOptions = {}): Promise<T> {
    const { makesCalls = true, priority, isOfBatch } = options
    const take = () => (isOfBatch ? this.#takeOfBatch() : this.queue.tryEnter(priority))
    const start = () => work(this.engine, take)
    return this.withoutPlace(async () => {
      const leaves = isOfBatch ? [await this.batches.enter(accountId, signal)] : []
      try {
        leaves.push(await this.queue.enter(accountId, signal, priority))
        if (this.monitor?.availability.available === false) throw notSent()
        return await (makesCalls && this.monitor ? this.monitor.watch(start) : start())
      } finally {
        for (const leave of leaves) leave()
      }
    })
  }

  async withoutPlace<T>(work: (engine: Engine) => T | Promise<T>): Promise<T> {
    if (this.#isClosed) throw notSent()
    this.#running++
    try {
      return await work(this.engine)
    } finally {
      if (--this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
      this.#closeIfDone()
    }
  }

  /** Takes one more place for a state of a batch, of those for batches. */
  #takeOfBatch(): (() => void) | null {
    const leaveBatches = this.batches.tryEnter()
    const leave = leaveBatches && this.queue.tryEnter()
    if (!leave) {
      leaveBatches?.()
      return null
    }
    return () => {
      leave()
      leaveBatches()
    }
  }

  /** Stops the probes, and closes the connections when the last running request has ended. */
  retire(): void {
    this.#isRetired = true
    this.monitor?.close()
    this.#closeIfDone()
  }

  /** Closes the connections at most once: a second close would reject. */
  #closeIfDone(): void {
    if (!this.#isRetired || this.#isClosed || this.#running > 0) return
    this.#isClosed = true
    void this.engine.close()
  }

  /** Refuses waiting requests and resolves when the running ones have ended. */
  async close(): Promise<void> {
    this.monitor?.close()
    for (const queue of [this.batches, this.queue]) queue.clear(new ServiceError("model_unavailable"))
    // A running request may still make calls on the connections.
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
    if (this.#isClosed) return
    this.#isClosed = true
    await this.engine.close()
  }
}
