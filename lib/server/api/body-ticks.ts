/** How much of large bodies is read in one tick of the event loop, in bytes. It takes the main thread less than a millisecond. */
const MAX_PER_TICK = 256 * 1024

/**
 * Spreads large bodies over many ticks of the event loop, so that small requests are served in between. Node reads up to 2 MiB from
 * each connection that has them: for 16 uploads, a tick would take 20 ms.
 */
export class BodyTicks {
  #read = 0
  #next: Promise<void> | null = null

  /** Counts bytes that were read. Returns the next tick, to wait for, when this one is used up. */
  count(bytes: number): Promise<void> | undefined {
    this.#next ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#read = 0
        this.#next = null
        resolve()
      })
    })
    this.#read += bytes
    return this.#read > MAX_PER_TICK ? this.#next : undefined
  }
}
