import {
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server"
import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import { getRelyingParty } from "@/lib/server/platform/relying-party"
import type { Runtime } from "@/lib/server/platform/runtime"
import { CONFIRMATIONS, type Scope } from "@/lib/shared/auth/confirmations"
import type { ConfirmByPasskeyInput, StartConfirmationInput } from "@/lib/shared/auth/passkeys"
import { ServiceError } from "@/lib/shared/errors"
import { lockUser } from "../change-email"
import { recordSignIn } from "../sign-in-events"
import { credentialsOf } from "./add-passkey"
import { CHALLENGE_MINUTES, consumeChallenge, createChallenge } from "./challenges"

/**
 * Returns the options with which a browser asks for a passkey of the actor, and stores their challenge, which confirms only the scope of
 * `verb` and only in this session. Throws `invalid_request` for a user without a passkey that can confirm this scope.
 */
export async function startPasskeyConfirmation(
  runtime: Runtime,
  actor: UserActor,
  { verb }: StartConfirmationInput,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  requireRight(actor, "account.read")
  const party = getRelyingParty(runtime.env.CONSOLE_URL)
  const { scope } = CONFIRMATIONS[verb]
  const allowCredentials = await credentialsOf(runtime, actor.userId, scope === "operator")
  if (allowCredentials.length === 0)
    throw new ServiceError("invalid_request", { message: "You have no passkey for this. Confirm with a mailed link." })
  return generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials,
    challenge: await createChallenge(runtime, actor, scope),
    timeout: CHALLENGE_MINUTES * 60_000,
    userVerification: "required",
  })
}

type PasskeyRow = Row<"Passkey", "id" | "public_key" | "counter" | "transports">

interface SignedUse {
  passkeyId: string
  /** The authenticator's count of signatures; 0 from one that does not count. */
  counter: number
}

/** Returns which passkey of the actor signed the challenge of the session and scope. Null when the response is not accepted. */
async function verify(
  runtime: Runtime,
  actor: UserActor,
  scope: Scope,
  { id, clientDataJSON, authenticatorData, signature }: ConfirmByPasskeyInput,
): Promise<SignedUse | null> {
  const party = getRelyingParty(runtime.env.CONSOLE_URL)
  const expectedChallenge = await consumeChallenge(runtime, actor, scope)
  const { rows } = await runtime.pool.query<PasskeyRow>(
    "SELECT id, public_key, counter, transports FROM passkey WHERE credential_id = $1 AND user_id = $2",
    [Buffer.from(id, "base64url"), actor.userId],
  )
  const [passkey] = rows
  if (!passkey) return null
  const { id: passkeyId, public_key: publicKey, counter, transports } = passkey
  // The library throws for everything that it does not accept. Its messages repeat what was sent.
  const result = await verifyAuthenticationResponse({
    response: {
      ...{ id, rawId: id, type: "public-key", clientExtensionResults: {} },
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id, publicKey: Uint8Array.from(publicKey), counter: Number(counter), transports },
    requireUserVerification: true,
  }).catch(() => null)
  return result?.verified ? { passkeyId, counter: result.authenticationInfo.newCounter } : null
}

// A response that was signed before the last accepted one has a lower count, and is refused also when both arrive at once.
const USE = `
  UPDATE passkey SET counter = $3, last_used_at = now()
  WHERE id = $1 AND user_id = $2 AND (counter < $3 OR counter = 0 AND $3 = 0) AND (confirms_operator OR NOT $4)`

const CONFIRM = (scope: Scope) =>
  `UPDATE session SET ${scope}_confirmed_at = now() WHERE id = $1 AND user_id = $2 AND expires_at > now()`

/**
 * Confirms the scope in the actor's session, in the transaction of `client`. Returns false when the passkey was removed meanwhile, or
 * cannot confirm this scope. The user is locked first: a deletion of the user locks the session before the passkey.
 */
async function confirmIn(client: PoolClient, actor: UserActor, scope: Scope, use: SignedUse): Promise<boolean> {
  const { userId, sessionId } = actor
  await lockUser(client, userId)
  const used = await client.query(USE, [use.passkeyId, userId, use.counter, scope === "operator"])
  if (!used.rowCount) return false
  const { rowCount } = await client.query(CONFIRM(scope), [sessionId, userId])
  if (!rowCount) throw new ServiceError("signed_out")
  const subject = publicId("ses", sessionId)
  await recordAudit(client, actor, { action: "session.confirm_passkey", subject, detail: scope })
  return true
}

/**
 * Confirms the scope of `verb` for 24 hours in the actor's session, when a passkey of the actor signed the session's challenge for that
 * scope. Throws `invalid_request` for a response that is not accepted, and `signed_out` when the session has ended.
 */
export async function confirmByPasskey(
  runtime: Runtime,
  actor: UserActor,
  input: ConfirmByPasskeyInput,
): Promise<{ confirmed: true }> {
  requireRight(actor, "account.read")
  const { scope } = CONFIRMATIONS[input.verb]
  const { email, clientAddress } = actor
  const use = await verify(runtime, actor, scope, input)
  const isConfirmed = use && (await inTransaction(runtime.pool, (client) => confirmIn(client, actor, scope, use)))
  const event = isConfirmed ? "sign_in.passkey_used" : "sign_in.passkey_refused"
  recordSignIn(runtime, event, { email, clientAddress, reason: "confirmation" })
  if (!isConfirmed)
    throw new ServiceError("invalid_request", {
      message: "The passkey was not accepted. Try again, or confirm with a mailed link.",
    })
  return { confirmed: true }
}
