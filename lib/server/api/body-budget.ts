/** Bodies up to this many bytes ask for no room: a client that sends them slowly holds no more than its connection does. */
export const FREE_BODY_BYTES = 64 * 1024

/**
 * What all larger bodies may take together: nine of the largest. With what the scanner and an engine's copies add, the
 * process stays under 1.5 GiB (measured: docs/decisions/0009).
 */
export const BODY_BUDGET_BYTES = 256 * 1024 * 1024

/** What one account's bodies may take of it while others wait: its slow uploads cannot keep everybody out. */
const SHARE_OF_ACCOUNT = 0.5

/** The place of one body in the budget. */
export interface BodyRoom {
  /** Says whose body it is, before it takes anything. */
  belongsTo(accountId: string): void
  /** Waits until this many bytes are free, first come first served. Rejects with the signal's reason. One call per room. */
  take(bytes: number, signal: AbortSignal): Promise<void>
  /** Gives back all but `bytes`: a body of undeclared length turned out shorter. */
  keep(bytes: number): void
  /** Gives everything back; calling it again changes nothing. */
  release(): void
}

interface Waiter {
  bytes: number
  accountId: string | null
  enter(): void
}

/** Bounds the memory of request bodies: what does not fit waits, unread, in the order in which it came. */
export class BodyBudget {
  #used = 0
  readonly #usedBy = new Map<string, number>()
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
    let owner: string | null = null
    const keep = (bytes: number) => {
      if (bytes >= held) return
      this.#add(bytes - held, owner)
      held = bytes
      this.#admit()
    }
    return {
      belongsTo: (accountId) => {
        owner = accountId
      },
      take: async (bytes, signal) => {
        if (bytes <= FREE_BODY_BYTES) return
        await this.#reserve(bytes, owner, signal, () => {
          held = bytes
        })
      },
      keep: (bytes) => keep(bytes <= FREE_BODY_BYTES ? 0 : bytes),
      release: () => keep(0),
    }
  }

  #reserve(bytes: number, accountId: string | null, signal: AbortSignal, onEnter: () => void): Promise<void> {
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
      const waiter = { bytes, accountId, enter }
      this.#waiters.add(waiter)
      signal.addEventListener("abort", leave, { once: true })
      this.#admit()
    })
  }

  /**
   * Lets in from the front as many as fit. A small one never overtakes: the large one before it would wait forever. Only those
   * are passed over whose account has its share.
   */
  #admit(): void {
    for (const waiter of this.#waiters) {
      if (this.#hasItsShare(waiter)) continue
      if (this.#used + waiter.bytes > this.total) return
      this.#waiters.delete(waiter)
      this.#add(waiter.bytes, waiter.accountId)
      waiter.enter()
    }
  }

  #hasItsShare({ bytes, accountId }: Waiter): boolean {
    const used = accountId === null ? 0 : (this.#usedBy.get(accountId) ?? 0)
    return used > 0 && used + bytes > this.total * SHARE_OF_ACCOUNT
  }

  #add(bytes: number, accountId: string | null): void {
    this.#used += bytes
    if (accountId === null) return
    const used = (this.#usedBy.get(accountId) ?? 0) + bytes
    if (used > 0) this.#usedBy.set(accountId, used)
    else this.#usedBy.delete(accountId)
  }
}
