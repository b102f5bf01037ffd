import type { KeyActor } from "@/lib/server/platform/actor"

/** What the API needs to know of a key that was found in the database. */
export interface KnownKey extends KeyActor {
  expiresAtMs: number | null
  perSecond: { key: number; account: number }
}

type Found = KnownKey | null

interface Entry {
  found: Promise<Found>
  /** The key's id once it is known. */
  keyId: string | null
  until: number
}

const FRESH_MS = 2_000
const MOST_KEYS = 10_000

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    keys: KeyCache
  }
}

/**
 * Keys by the hex SHA-256 of their secret, for 2 s: how long a revocation on another process may take to be seen here.
 * `place_hold` looks again under lock, so a revoked key cannot spend even within that time.
 */
export class KeyCache {
  readonly #byHash = new Map<string, Entry>()
  /** When each key was last used, in ms, since the last `takeLastUsed`. */
  #lastUsed = new Map<string, number>()

  /**
   * What `find` said of this hash in the last 2 s, a refusal too; requests that ask at once share one look-up. The time
   * counts from before the look-up, whose answer may be as old as that. A look-up that fails is not kept.
   */
  async get(hash: string, find: () => Promise<Found>, now = Date.now()): Promise<Found> {
    const known = this.#byHash.get(hash)
    if (known && known.until > now) return known.found
    const entry: Entry = { found: find(), keyId: null, until: now + FRESH_MS }
    this.#byHash.delete(hash)
    for (const oldest of this.#byHash.keys()) {
      if (this.#byHash.size < MOST_KEYS) break
      this.#byHash.delete(oldest)
    }
    this.#byHash.set(hash, entry)
    try {
      const found = await entry.found
      entry.keyId = found?.keyId ?? null
      return found
    } catch (error) {
      if (this.#byHash.get(hash) === entry) this.#byHash.delete(hash)
      throw error
    }
  }

  /** Drops a key by its id: it was revoked here. A look-up under way may have seen it before that, so it goes too. */
  forget(keyId: string): void {
    for (const [hash, entry] of this.#byHash)
      if (entry.keyId === null || entry.keyId === keyId) this.#byHash.delete(hash)
  }

  used(keyId: string, now = Date.now()): void {
    this.#lastUsed.set(keyId, Math.max(now, this.#lastUsed.get(keyId) ?? 0))
  }

  takeLastUsed(): Map<string, number> {
    const taken = this.#lastUsed
    this.#lastUsed = new Map()
    return taken
  }
}
