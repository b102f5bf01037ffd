/** Bounds how many requests run at once: those of one client, those of its network, and all together. */
export class ClientSlots {
  #used = 0
  readonly #usedBy = new Map<string, number>()
  /** A network, which one attacker may own as a whole, gets half of all. */
  readonly #perNetwork: number

  constructor(
    private readonly perClient: number,
    private readonly total: number,
  ) {
    this.#perNetwork = Math.max(perClient, total / 2)
  }

  get used(): number {
    return this.#used
  }

  /** Takes a slot and returns the function that frees it, which may be called more than once. Returns null when none is free. */
  take(client: string, network?: string): (() => void) | null {
    if (this.#used >= this.total || this.#usedOf(client) >= this.perClient) return null
    if (network !== undefined && this.#usedOf(network) >= this.#perNetwork) return null
    const names = network === undefined ? [client] : [client, network]
    this.#add(names, 1)
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      this.#add(names, -1)
    }
  }

  #usedOf(name: string): number {
    return this.#usedBy.get(name) ?? 0
  }

  #add(names: string[], count: 1 | -1): void {
    this.#used += count
    for (const name of names) {
      const used = this.#usedOf(name) + count
      if (used > 0) this.#usedBy.set(name, used)
      else this.#usedBy.delete(name)
    }
  }
}

/** The place of one request among those that run at once, which it may leave and take again. */
export class Place {
  #free: (() => void) | null = null

  constructor(
    private readonly slots: ClientSlots,
    private readonly client: string,
    private readonly network?: string,
  ) {}

  /** Returns false when no place is free. */
  take(): boolean {
    this.#free ??= this.slots.take(this.client, this.network)
    return this.#free !== null
  }

  leave(): void {
    this.#free?.()
    this.#free = null
  }
}
