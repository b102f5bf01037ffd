import { createHash } from "node:crypto"
import type { PoolClient } from "pg"
import { ServiceError } from "@/lib/shared/errors"

const KEY = /^[A-Za-z0-9_-]{1,64}$/

/** A request whose response is kept, so that a repetition changes nothing. */
export interface KeptRequest {
  /** Names the token. Another token's keys are others. */
  caller: string
  key: string
  sha256: Buffer
}

const refuse = (message: string): never => {
  throw new ServiceError("invalid_request", { param: "Idempotency-Key", message })
}

/** Returns what identifies a request with an `Idempotency-Key`; null without the header. Throws `invalid_request` for a malformed key. */
export function keptRequest(request: Request, caller: string, body: Buffer): KeptRequest | null {
  const key = request.headers.get("idempotency-key")
  if (key === null) return null
  if (!KEY.test(key)) refuse("Use 1 to 64 letters, digits, '_' and '-'.")
  const { pathname, search } = new URL(request.url)
  const sha256 = createHash("sha256").update(`${request.method} ${pathname}${search}\n`).update(body).digest()
  return { caller, key, sha256 }
}

const CLAIM = `
  INSERT INTO kept_answer (caller, key, request_sha256, body) VALUES ($1, $2, $3, '{}')
  ON CONFLICT (caller, key) DO UPDATE SET request_sha256 = $3, body = '{}', created_at = now()
    WHERE kept_answer.created_at < now() - interval '1 day'
  RETURNING key`

/**
 * Claims a key in the transaction of `client`, and waits for a concurrent request with it. Returns the kept response when the key was
 * used before; null for a first use. Throws `invalid_request` for a key of another request.
 */
export async function claimKey(client: PoolClient, { caller, key, sha256 }: KeptRequest): Promise<object | null> {
  if ((await client.query(CLAIM, [caller, key, sha256])).rowCount) return null
  const { rows } = await client.query<{ is_same: boolean; kept: object }>(
    "SELECT request_sha256 = $3 AS is_same, body AS kept FROM kept_answer WHERE caller = $1 AND key = $2",
    [caller, key, sha256],
  )
  if (!rows[0]?.is_same) refuse("This key was used for another request. Use a new one.")
  return rows[0]?.kept ?? {}
}

/** Keeps a response, with null in place of its secret, in the transaction of the change. */
export async function keepAnswer(
  client: PoolClient,
  { caller, key }: KeptRequest,
  body: unknown,
  secret: string | undefined,
): Promise<void> {
  const kept = { ...(body as object), ...(secret === undefined ? {} : { [secret]: null }) }
  await client.query("UPDATE kept_answer SET body = $3 WHERE caller = $1 AND key = $2", [caller, key, kept])
}
