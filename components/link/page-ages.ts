/** Next keeps a page that was loaded ahead, or visited, for 30 s after its response. The margin covers the time until then. */
const KEPT_MS = 35_000
/** The maximum age at which a page that was loaded ahead is shown without a refresh. */
const FRESH_MS = 2_000

interface Reading {
  atMs: number
  isAhead: boolean
}

/** Tracks when the page of each address was last fetched, for as long as Next may show that copy again. */
export class PageAges {
  readonly #readings = new Map<string, Reading>()

  /** Records that a page is loaded ahead. Next sends no request while it keeps an earlier copy. */
  loadAhead(address: string, nowMs: number): void {
    const atMs = this.#find(address, nowMs)?.atMs ?? nowMs
    this.#readings.set(address, { atMs, isAhead: true })
  }

  /** Records that a page is shown. Returns true if its copy is too old. The caller must then refresh, which empties Next's caches. */
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
