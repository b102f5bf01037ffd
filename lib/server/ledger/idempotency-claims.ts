/**
 * An `Idempotency-Key` is charged once: the transaction of the charge writes the key's row (`charge_holds_once`). Claims only
 * save work. They let one request at a time compute an answer for a key, so that a retry waits instead of computing too.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Pool, QueryConfig } from "pg"
import { DROP_BATCH, dropInBatches } from "@/lib/server/platform/db/drop-in-batches"
import { orAbort } from "@/lib/server/platform/or-abort"
import type { Runtime } from "@/lib/server/platform/runtime"
import { withinMs } from "./within-ms"

/** A key and the body it was sent with, hashed. Neither can be read back. */
export interface IdempotencyKey {
  accountId: string
  keySha256: Buffer
  /** The body's HMAC by each accepted secret, the current one first. */
  bodyHmacs: Buffer[]
}

export type ClaimOutcome = "claimed" | "charged" | "running" | "other_body" | "used_up" | "revoked"

export interface ClaimRow {
  outcome: ClaimOutcome
  /** The pinned id of the charge when the outcome is `charged`, else null. */
  model: string | null
  /** The request of a claim that a crash left behind, else null. It may have a hold that is still open. */
  previous: string | null
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    claims: ClaimLeases
  }
}

/** Less than half of `idempotency_lease()`, so that one failed renewal loses no claim. */
const RENEW_EVERY_MS = 2_000

// Rows that a charge has locked are skipped: their claims end with it.
const RENEW = `
  UPDATE idempotency_key SET leased_until = ledger_now() + idempotency_lease() WHERE (account_id, key_sha256) IN (
    SELECT account_id, key_sha256 FROM idempotency_key JOIN unnest($1::uuid[], $2::bytea[], $3::uuid[]) AS c(account, key, request)
      ON account_id = c.account AND key_sha256 = c.key AND request_id = c.request
    FOR NO KEY UPDATE OF idempotency_key SKIP LOCKED)`

/** Renews the claims of this process every two seconds while it has any, in one statement. */
export class ClaimLeases {
  readonly #held = new Map<string, IdempotencyKey>()
  #timer: NodeJS.Timeout | null = null

  constructor(private readonly pool: Pool) {}

  hold(requestId: string, key: IdempotencyKey): void {
    this.#held.set(requestId, key)
    this.#timer ??= setInterval(() => void this.#renew(), RENEW_EVERY_MS).unref()
  }

  end(requestId: string): void {
    this.#held.delete(requestId)
    if (this.#held.size > 0 || !this.#timer) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  async #renew(): Promise<void> {
    const keys = [...this.#held.values()]
    const values = [keys.map((key) => key.accountId), keys.map((key) => key.keySha256), [...this.#held.keys()]]
    // A claim that is lost costs a second computation, never a second charge.
    await this.pool.query({ name: "renew-claims", text: RENEW, values }).catch(() => {})
  }
}

/** So that a request that loses the database ends within 10 s. */
const CLAIM_MS = 6_000

/**
 * Claims a key for a request in one round trip, which takes 6 s at most. The claim of `claimed` and `charged` is renewed until `endClaim`. A claim of
 * `charged` also counts a computation of the answer.
 */
export async function claimKey(
  { pool, claims }: Runtime,
  key: IdempotencyKey,
  apiKeyId: string,
  requestId: string,
): Promise<ClaimRow> {
  const claiming = pool.query<ClaimRow>({
    name: "claim-idempotency-key",
    text: "SELECT * FROM claim_idempotency_key($1, $2, $3, $4, $5)",
    values: [key.accountId, apiKeyId, key.keySha256, key.bodyHmacs, requestId],
  })
  // A claim that comes later ends with its lease.
  const { rows } = await withinMs(CLAIM_MS, null, (signal) => orAbort(claiming, signal))
  const [row] = rows
  if (!row) throw new Error("the database must return one row for a claim")
  if (row.outcome === "claimed" || row.outcome === "charged") claims.hold(requestId, key)
  return row
}

const RELEASE = `
  WITH unused AS (
    DELETE FROM idempotency_key WHERE account_id = $1 AND key_sha256 = $2 AND request_id = $3 AND hold_id IS NULL
  )
  UPDATE idempotency_key SET request_id = NULL, leased_until = NULL, computed_again = computed_again - $4
  WHERE account_id = $1 AND key_sha256 = $2 AND request_id = $3 AND hold_id IS NOT NULL`

/** The client does not wait longer for the end of a claim, such as when the database has failed. */
const END_MS = 500

/** Ends a claim by a statement. Resolves within half a second and never rejects: if it fails, the claim ends with its lease. */
async function end({ pool, claims, log }: Runtime, requestId: string, statement: QueryConfig): Promise<void> {
  claims.end(requestId)
  const ending = pool.query(statement).catch((cause) => {
    log.warn("An idempotency key was not released and stays claimed for seconds", { event: "claim.end_failed", cause })
  })
  const late = new AbortController()
  await Promise.race([ending, sleep(END_MS, undefined, { signal: late.signal }).catch(() => {})])
  late.abort()
}

/**
 * Ends a request's claim as `end` does, so that the next request with the key starts at once. A key without a charge is forgotten.
 * `isFailed` uncounts the computation.
 */
export function endClaim(runtime: Runtime, key: IdempotencyKey, requestId: string, isFailed: boolean): Promise<void> {
  const values = [key.accountId, key.keySha256, requestId, isFailed ? 1 : 0]
  return end(runtime, requestId, { name: "end-claim", text: RELEASE, values })
}

/** The charge that belongs to a key. */
export interface KeyedCharge {
  holdId: string
  /** The pinned id. */
  model: string
}

const KEEP = `
  UPDATE idempotency_key SET hold_id = $4, model_id = $5, request_id = NULL, leased_until = NULL, computed_again = 0,
    expires_at = ledger_now() + interval '24 h'
  WHERE account_id = $1 AND key_sha256 = $2 AND request_id = $3 AND hold_id IS NULL`

/**
 * Ends the claim of a batch as `end` does, and keeps its key like that of a charge. The batch's states were charged under keys of their
 * own, so a key that is not kept costs no second charge.
 */
export function keepClaim(
  runtime: Runtime,
  key: IdempotencyKey,
  requestId: string,
  { holdId, model }: KeyedCharge,
): Promise<void> {
  const values = [key.accountId, key.keySha256, requestId, holdId, model]
  return end(runtime, requestId, { name: "keep-claim", text: KEEP, values })
}

// A locked row is being charged or reversed by a request that lost its claim. To wait for several such rows could deadlock. The charge
// of this request finds whether the key was charged.
const TAKE_CHARGES = `
  UPDATE idempotency_key SET computed_again = 1 WHERE (account_id, key_sha256) IN (
    SELECT account_id, key_sha256 FROM idempotency_key
    WHERE account_id = $1 AND key_sha256 = ANY ($2) AND hold_id IS NOT NULL AND expires_at > ledger_now()
    FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING key_sha256, hold_id, model_id, body_hmac = ANY ($3) AS is_same`

/**
 * Returns the charge of each key of a batch's states, or null where nothing was charged within 24 hours. Notes that an answer may be
 * computed again, so that its charge stays; the batch's own key counts how often. Returns `other_body` when they were charged for another.
 */
export async function takeCharges(
  { pool }: Runtime,
  keys: IdempotencyKey[],
): Promise<(KeyedCharge | null)[] | "other_body"> {
  const [first] = keys
  const { rows } = await pool.query<{ key_sha256: Buffer; hold_id: string; model_id: string; is_same: boolean }>({
    name: "take-charges",
    text: TAKE_CHARGES,
    values: [first?.accountId, keys.map((key) => key.keySha256), first?.bodyHmacs],
  })
  if (rows.some((row) => !row.is_same)) return "other_body"
  return keys.map(({ keySha256 }) => {
    const row = rows.find((found) => found.key_sha256.equals(keySha256))
    return row ? { holdId: row.hold_id, model: row.model_id } : null
  })
}

const DROP_EXPIRED = `
  DELETE FROM idempotency_key WHERE (account_id, key_sha256) IN (
    SELECT account_id, key_sha256 FROM idempotency_key WHERE expires_at < ledger_now()
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`

/**
 * Drops the idempotency keys that were charged more than 24 hours ago, and claims that a crash left behind. Returns their
 * number. Any server may run it at any time.
 */
export const dropIdempotencyKeys = ({ pool }: Runtime): Promise<number> =>
  dropInBatches(async () => (await pool.query(DROP_EXPIRED, [DROP_BATCH])).rowCount)
