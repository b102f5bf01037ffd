/** How much of large bodies is read in one turn of the event loop, in bytes. It takes the main thread less than a millisecond. */
const MAX_PER_TURN = 256 * 1024

/**
 * Spreads large bodies over many turns of the event loop, so that small requests are served in between. Node reads up to 2 MiB from
 * each connection that has them: for 16 uploads, a turn would take 20 ms.
 */
export class BodyTurns {
  #read = 0
  #next: Promise<void> | null = null

  constructor(private readonly maxPerTurn = MAX_PER_TURN) {}

  /** Counts bytes that were read. Returns the next turn, to wait for, when this one is used up. */
  count(bytes: number): Promise<void> | undefined {
    this.#next ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#read = 0
        this.#next = null
        resolve()
      })
    })
    this.#read += bytes
    return this.#read > this.maxPerTurn ? this.#next : undefined
  }
}
