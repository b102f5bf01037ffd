/** Next keeps a page that was loaded ahead, or visited, for 30 s. The margin covers the time until its response. */
const KEPT_MS = 35_000
/** What a page shows may be this old. */
const FRESH_MS = 2_000

interface Reading {
  atMs: number
  isAhead: boolean
}

/** Keeps when the page of each address was last read from the server, as far as Next may show that reading again. */
export class PageAges {
  readonly #readings = new Map<string, Reading>()

  /** Records that a page is loaded ahead. Next sends no request while it keeps an earlier reading. */
  loadAhead(address: string, nowMs: number): void {
    const atMs = this.#find(address, nowMs)?.atMs ?? nowMs
    this.#readings.set(address, { atMs, isAhead: true })
  }

  /** Records that a page is shown. Returns true when it was read too long ago: refresh it, which also empties Next's caches. */
  show(address: string, nowMs: number): boolean {
    const reading = this.#find(address, nowMs)
    const isFresh = !reading?.isAhead || nowMs - reading.atMs <= FRESH_MS
    if (isFresh && reading?.isAhead) return false
    if (!isFresh) this.#readings.clear()
    this.#readings.set(address, { atMs: nowMs, isAhead: false })
    return !isFresh
  }

  #find(address: string, nowMs: number): Reading | undefined {
    for (const [other, { atMs }] of this.#readings) if (nowMs - atMs > KEPT_MS) this.#readings.delete(other)
    return this.#readings.get(address)
  }
}
