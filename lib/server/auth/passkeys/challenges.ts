import { createHash, randomBytes } from "node:crypto"
import type { UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Scope } from "@/lib/shared/auth/confirmations"

/** What a signed challenge allows: adding one passkey, or confirming one scope. */
export type Purpose = "add" | Scope

type Challenged = Pick<UserActor, "sessionId" | "userId">

export const CHALLENGE_MINUTES = 5

const hashOf = (challenge: string): Buffer => createHash("sha256").update(challenge).digest()

const STORE = `
  INSERT INTO passkey_challenge (session_id, purpose, user_id, challenge_sha256, expires_at)
  VALUES ($1, $2, $3, $4, now() + $5 * interval '1 minute')
  ON CONFLICT (session_id, purpose) DO UPDATE SET challenge_sha256 = $4, expires_at = excluded.expires_at`

/** Creates a challenge for the actor's session. It replaces the one before for the same purpose, and expires after five minutes. */
export async function createChallenge(
  { pool }: Runtime,
  { sessionId, userId }: Challenged,
  purpose: Purpose,
): Promise<Buffer<ArrayBuffer>> {
  const challenge = Buffer.from(randomBytes(32))
  const hash = hashOf(challenge.toString("base64url"))
  await pool.query(STORE, [sessionId, purpose, userId, hash, CHALLENGE_MINUTES])
  return challenge
}

const CONSUME = `
  DELETE FROM passkey_challenge WHERE session_id = $1 AND purpose = $2 AND user_id = $3
  RETURNING challenge_sha256, expires_at > now() AS is_valid`

/**
 * Ends the challenge of the actor's session, so that no response is checked against it twice. Returns a function that says whether a text
 * in base64url is that challenge; always false when there is none, or it expired.
 */
export async function consumeChallenge(
  { pool }: Runtime,
  { sessionId, userId }: Challenged,
  purpose: Purpose,
): Promise<(challenge: string) => boolean> {
  const { rows } = await pool.query<Row<"PasskeyChallenge", "challenge_sha256"> & { is_valid: boolean }>(CONSUME, [
    sessionId,
    purpose,
    userId,
  ])
  const [stored] = rows
  return (challenge) => stored?.is_valid === true && hashOf(challenge).equals(stored.challenge_sha256)
}
