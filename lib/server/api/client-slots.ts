/** Bounds how many requests run at once: those of one client, and all together. */
export class ClientSlots {
  #used = 0
  readonly #usedBy = new Map<string, number>()

  constructor(
    private readonly perClient: number,
    private readonly total: number,
  ) {}

  get used(): number {
    return this.#used
  }

  /** Takes a slot and returns the function that frees it, which may be called more than once. Returns null when none is free. */
  take(client: string): (() => void) | null {
    const used = this.#usedBy.get(client) ?? 0
    if (used >= this.perClient || this.#used >= this.total) return null
    this.#used++
    this.#usedBy.set(client, used + 1)
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      this.#free(client)
    }
  }

  #free(client: string): void {
    this.#used--
    const left = (this.#usedBy.get(client) ?? 1) - 1
    if (left > 0) this.#usedBy.set(client, left)
    else this.#usedBy.delete(client)
  }
}
