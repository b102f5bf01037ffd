import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { ALIAS } from "@/lib/shared/models/model-ids"
import type { KnownKey } from "./key-cache"
import { networksOf } from "./restrictions"
import { hashBearer } from "./secret"

interface KeyRow {
  id: string
  account_id: string
  expires_at: Date | null
  is_old_secret: boolean
  per_key: number
  per_account: number
  models: string[]
  routes: string[]
  networks: string[]
  tags: string[]
  stays_on: string | null
}

const LIMITS = `
  a.requests_per_second_per_key AS per_key, a.requests_per_second AS per_account, k.models, k.routes, k.networks, k.tags,
  (SELECT s.model_id FROM alias_stay s WHERE s.account_id = a.id AND s.alias_id = '${ALIAS}' AND s.until_at > now()) AS stays_on`

// One round trip finds a key by its secret, or by the one before a replacement until the overlap ends.
const BY_SECRET = `
  SELECT k.id, k.account_id, ${LIMITS}, k.secret_sha256 <> $1 AS is_old_secret,
    CASE WHEN k.secret_sha256 = $1 THEN k.expires_at ELSE least(k.expires_at, k.previous_until) END AS expires_at
  FROM api_key k JOIN account a ON a.id = k.account_id
  WHERE (k.secret_sha256 = $1 OR (k.previous_sha256 = $1 AND k.previous_until > ledger_now()))
    AND k.revoked_at IS NULL AND k.paused_at IS NULL AND a.status = 'active'`

const OF_ACCOUNT = `
  SELECT k.id, k.account_id, ${LIMITS}, false AS is_old_secret, k.expires_at
  FROM api_key k JOIN account a ON a.id = k.account_id
  WHERE k.account_id = $1 AND k.revoked_at IS NULL AND k.paused_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now()) AND a.status = 'active'
    AND CASE WHEN $2::uuid IS NULL THEN k.kind = 'playground' ELSE k.id = $2 END`

const OF_OWNER = `
  SELECT k.id, k.account_id, ${LIMITS}, false AS is_old_secret, k.expires_at
  FROM api_key k JOIN account a ON a.id = k.account_id JOIN member m ON m.account_id = a.id JOIN app_user u ON u.id = m.user_id
  WHERE u.email = $1 AND k.kind = 'secret' AND k.revoked_at IS NULL AND k.paused_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now()) AND a.status = 'active'
  ORDER BY k.created_at DESC LIMIT 1`

const toKnownKey = (row: KeyRow, verifiedAt: number): KnownKey => ({
  type: "key",
  accountId: row.account_id,
  verifiedAt,
  keyId: row.id,
  clientAddress: null,
  expiresAtMs: row.expires_at?.getTime() ?? null,
  isOldSecret: row.is_old_secret,
  perSecond: { key: row.per_key, account: row.per_account },
  models: row.models,
  routes: row.routes,
  networks: networksOf(row.networks),
  tags: row.tags,
  staysOn: row.stays_on,
})

async function findBySecret({ pool }: Runtime, sha256: Buffer): Promise<KnownKey | null> {
  const verifiedAt = performance.now()
  const { rows } = await pool.query<KeyRow>({
    name: "key-by-secret",
    text: BY_SECRET,
    values: [sha256],
  })
  return rows[0] ? toKnownKey(rows[0], verifiedAt) : null
}

/**
 * Returns the key of an `Authorization` header. A wrong form or checksum is rejected without a query, and a result of the
 * last 1.5 s comes from the cache. Throws `invalid_api_key` when the key is missing, unknown, expired, paused or revoked, its account is
 * suspended or closed, or the secret was replaced and its overlap has ended. `clientOf` names the client that waits for its turn while the key is unknown.
 */
export async function verifyKey(
  runtime: Runtime,
  authorization: string | undefined,
  clientOf: () => string = () => "",
): Promise<KnownKey> {
  const sha256 = hashBearer("svcd_", authorization)
  if (!sha256) throw new ServiceError("invalid_api_key")
  const { keys } = runtime
  const find = () => findBySecret(runtime, sha256)
  const key = await keys.get(sha256.toString("hex"), (isKnown) => (isKnown ? find() : keys.lookUp(clientOf(), find)))
  if (!key || (key.expiresAtMs !== null && key.expiresAtMs <= Date.now())) throw new ServiceError("invalid_api_key")
  keys.used(key.keyId, Date.now(), key.isOldSecret)
  return key
}

/**
 * Returns the key that a signed-in member's request is charged to: the account's active key with this UUID, or its
 * Playground key for null. Throws `not_found`.
 */
export async function findKeyOfAccount(
  { pool, keys }: Runtime,
  accountId: string,
  keyId: string | null,
): Promise<KnownKey> {
  const verifiedAt = performance.now()
  const { rows } = await pool.query<KeyRow>({
    name: "key-of-account",
    text: OF_ACCOUNT,
    values: [accountId, keyId],
  })
  if (!rows[0]) throw new ServiceError("not_found", { message: "This account has no active key with this id." })
  keys.used(rows[0].id)
  return toKnownKey(rows[0], verifiedAt)
}

/** Returns the newest active secret key with which a user of this address pays. Null without one, and for a suspended account. */
export async function findKeyOfOwner({ pool, keys }: Runtime, email: string): Promise<KnownKey | null> {
  const verifiedAt = performance.now()
  const { rows } = await pool.query<KeyRow>({
    name: "key-of-owner",
    text: OF_OWNER,
    values: [email],
  })
  if (!rows[0]) return null
  keys.used(rows[0].id)
  return toKnownKey(rows[0], verifiedAt)
}
