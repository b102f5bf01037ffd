/** A body has about 90 s (spec.md, "Timeouts"). It is slow while it arrives at less than the pace that it needs for that. */
const WHOLE_MS = 90_000
/** How long a body may stop, or fall behind its pace, before it is slow. */
const PAUSE_MS = 5_000

/** How fast one body arrives. */
export interface BodyPace {
  /** Reports that so many more bytes have arrived. */
  received(bytes: number): void
  /** Reports that the body is complete or given up. */
  end(): void
}

interface Arriving {
  /** The body is slow from this time on, in ms of `performance.now()`, unless more of it arrives. */
  slowAt: number
  onSlow(): void
}

/** Knows how fast bodies arrive, and finds the slow ones while others wait for their memory. */
export class BodyPaces {
  /** In order of arrival. */
  readonly #arriving = new Set<Arriving>()
  #timer: NodeJS.Timeout | null = null

  /** `isBlocked` returns true while a body waits for memory. */
  constructor(private readonly isBlocked: () => boolean) {}

  /** Begins to watch a body of this many bytes. Calls `onSlow` at most once, while others wait. */
  begin(bytes: number, onSlow: () => void): BodyPace {
    const arriving: Arriving = { slowAt: performance.now() + PAUSE_MS, onSlow }
    this.#arriving.add(arriving)
    return {
      received: (more) => {
        const now = performance.now()
        const earned = Math.max(arriving.slowAt, now) + (more / bytes) * WHOLE_MS
        arriving.slowAt = Math.min(now + PAUSE_MS, earned)
      },
      end: () => void this.#arriving.delete(arriving),
    }
  }

  /** Ends slow bodies, in order of arrival, until nobody waits. To be called when a body begins to wait. */
  watch(): void {
    if (this.#timer !== null || !this.isBlocked()) return
    const slowAt = Math.min(...[...this.#arriving].map((arriving) => arriving.slowAt))
    if (slowAt === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(
      () => {
        // What arrived while this process was busy is read first.
        setImmediate(() => {
          this.#timer = null
          this.#endSlow()
          this.watch()
        })
      },
      Math.max(0, slowAt - performance.now()),
    )
    this.#timer.unref()
  }

  #endSlow(): void {
    const now = performance.now()
    for (const arriving of this.#arriving) {
      if (!this.isBlocked()) return
      if (arriving.slowAt > now || !this.#arriving.delete(arriving)) continue
      arriving.onSlow()
    }
  }
}
