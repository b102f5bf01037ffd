/** Bodies up to this many bytes ask for no room: a client that sends them slowly holds no more than its connection does. */
export const FREE_BODY_BYTES = 64 * 1024

/**
 * What all larger bodies may take together: nine of the largest. With what the scanner and an engine's copies add, the
 * process stays under 1.5 GiB (measured: docs/decisions/0009).
 */
export const BODY_BUDGET_BYTES = 256 * 1024 * 1024

/** The place of one body in the budget. */
export interface BodyRoom {
  /** Waits until this many bytes are free, first come first served. Rejects with the signal's reason. One call per room. */
  take(bytes: number, signal: AbortSignal): Promise<void>
  /** Gives back all but `bytes`: a body of undeclared length turned out shorter. */
  keep(bytes: number): void
  /** Gives everything back; calling it again changes nothing. */
  release(): void
}

interface Waiter {
  bytes: number
  enter(): void
}

/** Bounds the memory of request bodies: what does not fit waits, unread, in the order in which it came. */
export class BodyBudget {
  #used = 0
  readonly #waiters = new Set<Waiter>()

  constructor(private readonly total = BODY_BUDGET_BYTES) {}

  /** Bytes set aside now. */
  get used(): number {
    return this.#used
  }

  /** Bodies that wait for room. */
  get waiting(): number {
    return this.#waiters.size
  }

  /** A room that takes nothing yet. */
  room(): BodyRoom {
    let held = 0
    const keep = (bytes: number) => {
      if (bytes >= held) return
      this.#used -= held - bytes
      held = bytes
      this.#admit()
    }
    return {
      take: async (bytes, signal) => {
        if (bytes <= FREE_BODY_BYTES) return
        await this.#reserve(bytes, signal, () => {
          held = bytes
        })
      },
      keep: (bytes) => keep(bytes <= FREE_BODY_BYTES ? 0 : bytes),
      release: () => keep(0),
    }
  }

  #reserve(bytes: number, signal: AbortSignal, onEnter: () => void): Promise<void> {
    if (bytes > this.total) throw new RangeError("no body may be larger than the whole budget")
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiters.delete(waiter)
        reject(signal.reason)
        this.#admit()
      }
      const enter = () => {
        signal.removeEventListener("abort", leave)
        onEnter()
        resolve()
      }
      const waiter = { bytes, enter }
      this.#waiters.add(waiter)
      signal.addEventListener("abort", leave, { once: true })
      this.#admit()
    })
  }

  /** Lets in from the front as many as fit. A small one never overtakes: the large one before it would wait forever. */
  #admit(): void {
    for (const waiter of this.#waiters) {
      if (this.#used + waiter.bytes > this.total) return
      this.#waiters.delete(waiter)
      this.#used += waiter.bytes
      waiter.enter()
    }
  }
}
