import type { TakePlace } from "../engine"

/**
 * Limits the concurrent calls of one request to one, plus one for each place that it takes in the engine's queue. When
 * `isLong`, the first call ends before others start, so that an engine with a prefix cache reads a long state once.
 */
export class CallPlaces {
  readonly #waiting: ((leave: () => void) => void)[] = []
  #isOwnPlaceFree = true
  #isWarm: boolean

  constructor(
    private readonly take: TakePlace,
    isLong: boolean,
  ) {
    this.#isWarm = !isLong
  }

  /** Makes a call as soon as there is a place for it. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const leave = await new Promise<() => void>((resolve) => {
      this.#waiting.push(resolve)
      this.#admit()
    })
    try {
      return await call()
    } finally {
      this.#isWarm = true
      leave()
      this.#admit()
    }
  }

  #admit(): void {
    while (this.#waiting.length > 0) {
      const leave = this.#place()
      if (!leave) return
      this.#waiting.shift()?.(leave)
    }
  }

  #place(): (() => void) | null {
    if (!this.#isOwnPlaceFree) return this.#isWarm ? this.take() : null
    this.#isOwnPlaceFree = false
    return () => {
      this.#isOwnPlaceFree = true
    }
  }
}
