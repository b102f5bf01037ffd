import { createHash } from "node:crypto"
import type { ClientBase } from "pg"
import { LOCKS } from "@/lib/server/platform/db/locks"
import { newId } from "@/lib/server/platform/ids"
import type { Person } from "./provider"

/** A logout at the OpenID provider. At least one of `subject` and `sid` is not null. */
export interface ProviderLogout {
  issuer: string
  /** Null names every person of the provider's session. */
  subject: string | null
  /** Null ends all sessions of the person. */
  sid: string | null
  /** When the provider issued the logout token, in seconds of its clock. */
  issuedAtS: number
}

const hashOf = (issuer: string, value: string | null): Buffer | null =>
  value === null
    ? null
    : createHash("sha256")
        .update(JSON.stringify([issuer, value]))
        .digest()

const INSERT = `
  INSERT INTO provider_logout (id, subject_sha256, sid_sha256, issued_at) VALUES ($1, $2, $3, to_timestamp($4))`

/**
 * Records a logout, in the transaction of `client`, which ends the sessions next. Waits for sign-ins that are opening a session. Later
 * ones find the logout.
 */
export async function recordLogout(
  client: ClientBase,
  { issuer, subject, sid, issuedAtS }: ProviderLogout,
): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCKS.providerLogouts])
  await client.query(INSERT, [newId(), hashOf(issuer, subject), hashOf(issuer, sid), issuedAtS])
}

// Both times are of the provider's clock, in whole seconds. A sign-in of the logout's own second ends: it may be the earlier one.
const FIND = `
  SELECT FROM provider_logout
  WHERE issued_at >= to_timestamp($3) AND (subject_sha256 IS NULL OR subject_sha256 = $1)
    AND (sid_sha256 IS NULL OR sid_sha256 = $2 OR $2::bytea IS NULL AND subject_sha256 IS NOT NULL) LIMIT 1`

/**
 * Returns whether the provider ended a person's session after it issued the tokens of this sign-in. A logout waits until the transaction
 * of `client` is over, so call this before the transaction takes other locks.
 */
export async function isLoggedOut(client: ClientBase, { issuer, subject, sid, issuedAtS }: Person): Promise<boolean> {
  await client.query("SELECT pg_advisory_xact_lock_shared($1)", [LOCKS.providerLogouts])
  const { rowCount } = await client.query(FIND, [hashOf(issuer, subject), hashOf(issuer, sid), issuedAtS])
  return rowCount === 1
}
