import { type BodyPace, BodyPaces } from "./body-pace"

/** Bodies up to this many bytes are not counted: they take little more memory than their connection. */
export const FREE_BODY_BYTES = 64 * 1024

/**
 * The memory for all larger bodies together, enough for nine of the largest size. With the copies that the scanner and the
 * engines make, the process stays under 1.5 GiB (measured in docs/decisions/0009).
 */
const BODY_BUDGET_BYTES = 256 * 1024 * 1024

/** A body may have 28 MiB. Every process has room for two, so that one account's body never makes all others wait. */
const LEAST_BUDGET_BYTES = 2 * 28 * 1024 * 1024

/** Returns the memory for the larger bodies of each of `processes` processes. */
export const bodyBudgetOf = (processes: number): number =>
  Math.max(LEAST_BUDGET_BYTES, Math.floor(BODY_BUDGET_BYTES / processes))

/**
 * An account's first body only needs space. With a further one, all its bodies together may take at most this share of what is
 * free. So it takes several accounts to fill the budget, and those whose bodies arrive slowly then lose it (body-pace.ts).
 */
const SHARE_OF_FREE = 0.5

/** The memory that one body reserves in the budget. */
export interface BodyReservation {
  /** Sets the account that the body counts against. Call it before `reserve`. */
  setAccount(accountId: string): void
  /**
   * Waits in order of arrival until this many bytes are free. Rejects with the signal's reason. Call it once per body. If the body
   * then arrives too slowly while others wait, everything is released and `onSlow` is called, which must give the body up.
   */
  reserve(bytes: number, signal: AbortSignal, onSlow?: () => void): Promise<void>
  /** Reports that so many more bytes of the body have arrived since it has its memory. */
  received(bytes: number): void
  /** Reports that the body is complete. It is not slow from now on. */
  complete(): void
  /** Releases all but `bytes`, for a body of undeclared length that turned out shorter. */
  shrinkTo(bytes: number): void
  /** Releases everything. Calling it again has no effect. */
  release(): void
}

interface Waiter {
  bytes: number
  accountId: string | null
  enter(): void
}

/** Bounds the memory of request bodies. A body that does not fit waits in order of arrival. */
export class BodyBudget {
  #used = 0
  readonly #usedBy = new Map<string, number>()
  readonly #waiters = new Set<Waiter>()
  readonly #paces = new BodyPaces(() => [...this.#waiters].some((waiter) => !this.#isOverShare(waiter)))

  constructor(private readonly total = BODY_BUDGET_BYTES) {}

  get used(): number {
    return this.#used
  }

  get waiting(): number {
    return this.#waiters.size
  }

  /** Returns the reservation of one body, which is empty at first. */
  reservation(): BodyReservation {
    let held = 0
    let owner: string | null = null
    let pace: BodyPace | null = null
    const keep = (bytes: number) => {
      if (bytes >= held) return
      pace?.end()
      this.#add(bytes - held, owner)
      held = bytes
      this.#admit()
    }
    return {
      setAccount: (accountId) => {
        owner = accountId
      },
      reserve: async (bytes, signal, onSlow) => {
        if (bytes <= FREE_BODY_BYTES) return
        await this.#reserve(bytes, owner, signal, () => {
          held = bytes
          if (!onSlow) return
          pace = this.#paces.begin(bytes, () => {
            onSlow()
            keep(0)
          })
        })
      },
      received: (bytes) => pace?.received(bytes),
      complete: () => pace?.end(),
      shrinkTo: (bytes) => keep(bytes <= FREE_BODY_BYTES ? 0 : bytes),
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
      this.#paces.watch()
    })
  }

  /**
   * Admits waiters from the front while they fit. A small body never overtakes a large one, which could otherwise wait
   * forever. Only waiters whose account has used up its share are skipped.
   */
  #admit(): void {
    for (const waiter of this.#waiters) {
      if (this.#isOverShare(waiter)) continue
      if (this.#used + waiter.bytes > this.total) return
      this.#waiters.delete(waiter)
      this.#add(waiter.bytes, waiter.accountId)
      waiter.enter()
    }
  }

  #isOverShare({ bytes, accountId }: Waiter): boolean {
    const used = accountId === null ? 0 : (this.#usedBy.get(accountId) ?? 0)
    return used > 0 && used + bytes > (this.total - this.#used) * SHARE_OF_FREE
  }

  #add(bytes: number, accountId: string | null): void {
    this.#used += bytes
    if (accountId === null) return
    const used = (this.#usedBy.get(accountId) ?? 0) + bytes
    if (used > 0) this.#usedBy.set(accountId, used)
    else this.#usedBy.delete(accountId)
  }
}
