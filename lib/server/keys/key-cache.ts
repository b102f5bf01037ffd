import type { BlockList } from "node:net"
import type { KeyActor } from "@/lib/server/platform/actor"
import { RELIED_ON_MS, type Verified } from "@/lib/server/platform/authority"
import type { Runtime } from "@/lib/server/platform/runtime"
import { LookUpTurns } from "./look-up-turns"

export interface KnownKey extends KeyActor, Verified {
  expiresAtMs: number | null
  /** Whether the secret is the one before a replacement. It ends with the overlap, at `expiresAtMs` or before. */
  isOldSecret: boolean
  perSecond: { key: number; account: number }
  /** The models and routes that the key is restricted to; empty for all. */
  models: string[]
  routes: string[]
  tags: string[]
  /** The earlier model with which the alias answers the account; null for its own. */
  staysOn: string | null
  /** The addresses that may use the key; null for all. */
  networks: BlockList | null
}

type Found = KnownKey | null

/** When a key's current secret and the one before it were last used, in ms. Null: not since the last save. */
interface LastUse {
  at: number | null
  oldAt: number | null
}

interface Entry {
  found: Promise<Found>
  /** Null until the look-up has found a key. */
  keyId: string | null
  until: number
}

const MAX_KEYS = 10_000

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    keys: KeyCache
  }
}

/**
 * Caches keys by the hex SHA-256 of their secret for 1.5 s, by a clock that nobody sets. An end of a key that another process wrote takes
 * effect here within that time. Meanwhile the key can only spend credit that was reserved before.
 */
export class KeyCache {
  readonly #byHash = new Map<string, Entry>()
  /** When each key was last used in ms, since the last `takeLastUsed`. */
  #lastUsed = new Map<string, LastUse>()
  readonly #turns = new LookUpTurns()

  /** Runs the look-up of a secret that is not known here, or of a session, in the turn of its client. */
  lookUp<T>(client: string, find: () => Promise<T>): Promise<T> {
    return this.#turns.run(client, find)
  }

  /**
   * Returns what `find` found for this hash in the last 1.5 s, including null. Concurrent requests share one look-up. The
   * time starts before the look-up, since its result may be as old as its start. A failed look-up is not cached. `isKnown` says whether
   * the hash was a key's before.
   */
  async get(hash: string, find: (isKnown: boolean) => Promise<Found>, now = performance.now()): Promise<Found> {
    const known = this.#byHash.get(hash)
    if (known && known.until > now) return known.found
    const entry: Entry = { found: find(known?.keyId != null), keyId: null, until: now + RELIED_ON_MS }
    this.#byHash.delete(hash)
    for (const oldest of this.#byHash.keys()) {
      if (this.#byHash.size < MAX_KEYS) break
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

  /** Drops a key that this process changed, and every pending look-up: it may have read the key before the change. */
  forget(keyId: string): void {
    for (const [hash, entry] of this.#byHash)
      if (entry.keyId === null || entry.keyId === keyId) this.#byHash.delete(hash)
  }

  used(keyId: string, now = Date.now(), isOldSecret = false): void {
    const use = this.#lastUsed.get(keyId) ?? { at: null, oldAt: null }
    this.#lastUsed.set(keyId, use)
    if (isOldSecret) use.oldAt = Math.max(now, use.oldAt ?? 0)
    else use.at = Math.max(now, use.at ?? 0)
  }

  /** Returns the recorded uses by key, and clears them. */
  takeLastUsed(): Map<string, LastUse> {
    const taken = this.#lastUsed
    this.#lastUsed = new Map()
    return taken
  }
}

const timesOf = (used: Map<string, LastUse>, which: keyof LastUse): (Date | null)[] =>
  [...used.values()].map(({ [which]: at }) => (at === null ? null : new Date(at)))

/**
 * Saves when each key was last used, in one statement for all keys used since the last call. A key whose row is locked, for
 * example by a charge, is left for the next call. Waiting for it could cause a deadlock.
 */
export async function saveLastUsed({ pool, keys }: Runtime): Promise<void> {
  const used = keys.takeLastUsed()
  if (used.size === 0) return
  try {
    const { rows } = await pool.query<{ id: string }>(
      `WITH free AS (
         SELECT k.id, CASE WHEN NOT is_old THEN u.at END AS at, CASE WHEN is_old THEN u.at ELSE u.old_at END AS old_at
         FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS u(id, at, old_at) JOIN api_key k ON k.id = u.id
           -- Another process may still know the old secret as the current one.
           CROSS JOIN LATERAL (SELECT coalesce(u.at < k.replaced_at + interval '2 s', false) AS is_old) AS which
         FOR NO KEY UPDATE OF k SKIP LOCKED
       ), saved AS (
         UPDATE api_key SET last_used_at = greatest(last_used_at, free.at), previous_used_at = greatest(previous_used_at, free.old_at)
         FROM free WHERE api_key.id = free.id
       ) SELECT id FROM free`,
      [[...used.keys()], timesOf(used, "at"), timesOf(used, "oldAt")],
    )
    for (const { id } of rows) used.delete(id)
  } finally {
    for (const [id, { at, oldAt }] of used) {
      if (at !== null) keys.used(id, at)
      if (oldAt !== null) keys.used(id, oldAt, true)
    }
  }
}
