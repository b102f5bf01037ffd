import type { Actor } from "../decisions/actor"

/** What the API needs to know of a key that was found in the database. */
export interface KnownKey extends Actor {
  expiresAtMs: number | null
  perSecond: { key: number; account: number }
}

const FRESH_MS = 2_000
const MOST_KEYS = 10_000

/**
 * Keys by the hex SHA-256 of their secret, for 2 s: how long a revocation on another process may take to be seen here.
 * `place_hold` looks again under lock, so a revoked key cannot spend even within that time.
 */
export class KeyCache {
  readonly #byHash = new Map<string, { key: KnownKey; until: number }>()
  /** When each key was last used, in ms, since the last `takeLastUsed`. */
  #lastUsed = new Map<string, number>()

  get(hash: string, now = Date.now()): KnownKey | null {
    const found = this.#byHash.get(hash)
    return found && found.until > now ? found.key : null
  }

  put(hash: string, key: KnownKey, now = Date.now()): void {
    if (this.#byHash.size >= MOST_KEYS) this.#byHash.clear()
    this.#byHash.set(hash, { key, until: now + FRESH_MS })
  }

  /** Drops a key by its id: it was revoked here. */
  forget(keyId: string): void {
    for (const [hash, { key }] of this.#byHash) if (key.keyId === keyId) this.#byHash.delete(hash)
  }

  used(keyId: string, now = Date.now()): void {
    this.#lastUsed.set(keyId, now)
  }

  takeLastUsed(): Map<string, number> {
    const taken = this.#lastUsed
    this.#lastUsed = new Map()
    return taken
  }
}
