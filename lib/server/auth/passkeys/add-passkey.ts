import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from "@simplewebauthn/server"
import { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers"
import { parse as uuidBytes } from "uuid"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { queueMail } from "@/lib/server/mail/queue-mail"
import { isConfirmed, requireConfirmed, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, publicId } from "@/lib/server/platform/ids"
import { getRelyingParty } from "@/lib/server/platform/relying-party"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { AddPasskeyInput } from "@/lib/shared/auth/passkeys"
import { ServiceError } from "@/lib/shared/errors"
import { lockUser } from "../change-email"
import { recordSignIn } from "../sign-in-events"
import { CHALLENGE_MINUTES, consumeChallenge, createChallenge } from "./challenges"

const MAX_PASSKEYS = 10

type CredentialRow = Row<"Passkey", "credential_id" | "transports">

/**
 * Returns the ids of a user's credentials in base64url, with how browsers reach them. With `areForOperator`, only of passkeys that can
 * confirm the scope `operator`.
 */
export async function credentialsOf(
  { pool }: Runtime,
  userId: string,
  areForOperator = false,
): Promise<{ id: string; transports: string[] }[]> {
  const { rows } = await pool.query<CredentialRow>(
    "SELECT credential_id, transports FROM passkey WHERE user_id = $1 AND (confirms_operator OR NOT $2) ORDER BY created_at",
    [userId, areForOperator],
  )
  return rows.map(({ credential_id: id, transports }) => ({ id: id.toString("base64url"), transports }))
}

/**
 * Returns the options with which a browser creates a passkey for the actor, and stores their challenge. Throws `confirmation_required`,
 * and `invalid_request` where passkeys cannot be used.
 */
export async function startPasskey(
  runtime: Runtime,
  actor: UserActor,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  requireRight(actor, "account.read")
  requireConfirmed(actor, "startPasskey")
  const party = getRelyingParty(runtime.env.CONSOLE_URL)
  return generateRegistrationOptions({
    rpName: party.id,
    rpID: party.id,
    userID: Uint8Array.from(uuidBytes(actor.userId)),
    userName: actor.email,
    userDisplayName: actor.email,
    challenge: await createChallenge(runtime, actor, "add"),
    timeout: CHALLENGE_MINUTES * 60_000,
    attestationType: "none",
    excludeCredentials: await credentialsOf(runtime, actor.userId),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  })
}

/**
 * Returns whether an attestation names certificates. Browsers remove them, because the options ask for none. Checking those of an attacker
 * could fetch lists of revoked ones from any address.
 */
export function hasCertificates(attestationObject: string): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = attestation.get("fmt")
  return format !== "none" && (format !== "packed" || attestation.get("attStmt").get("x5c") !== undefined)
}

/** Returns the credential of a response, checked against the challenge of the actor's session. Null when it is not accepted. */
async function verify(
  runtime: Runtime,
  actor: UserActor,
  { id, clientDataJSON, attestationObject }: AddPasskeyInput,
): Promise<WebAuthnCredential | null> {
  const party = getRelyingParty(runtime.env.CONSOLE_URL)
  const expectedChallenge = await consumeChallenge(runtime, actor, "add")
  try {
    if (hasCertificates(attestationObject)) return null
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...{ id, rawId: id, type: "public-key", clientExtensionResults: {} },
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    return registrationInfo?.credential ?? null
  } catch {
    // The library throws for everything that it does not accept. Its messages repeat what was sent.
    return null
  }
}

const INSERT = `
  INSERT INTO passkey (id, user_id, credential_id, public_key, counter, transports, name, confirms_operator)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE (SELECT count(*) FROM passkey WHERE user_id = $2) < ${MAX_PASSKEYS}
  ON CONFLICT (credential_id) DO NOTHING`

/**
 * Adds the passkey that a browser created with the options of `startPasskey`, and mails the user. It can confirm the scope `operator` only
 * if the session could open the operator's area. Throws `confirmation_required`, and `invalid_request` for a response that is not accepted,
 * a credential that is registered already, and the 11th passkey.
 */
export async function addPasskey(runtime: Runtime, actor: UserActor, input: AddPasskeyInput): Promise<{ id: string }> {
  requireRight(actor, "account.read")
  requireConfirmed(actor, "addPasskey")
  const { userId, accountId, email, clientAddress } = actor
  const credential = await verify(runtime, actor, input)
  if (!credential) {
    recordSignIn(runtime, "sign_in.passkey_refused", { email, clientAddress, reason: "add" })
    throw new ServiceError("invalid_request", { message: "The passkey was not accepted. Add it again." })
  }
  const id = newId()
  const subject = publicId("pky", id)
  await inTransaction(runtime.pool, async (client) => {
    await lockUser(client, userId)
    const key = [Buffer.from(credential.id, "base64url"), Buffer.from(credential.publicKey), credential.counter]
    const values = [id, userId, ...key, input.transports, input.name, isConfirmed(actor, "operator")]
    const { rowCount } = await client.query(INSERT, values)
    if (!rowCount)
      throw new ServiceError("invalid_request", {
        message: `This passkey is registered already, or you have ${MAX_PASSKEYS} passkeys, which is the maximum.`,
      })
    await recordAudit(client, actor, { action: "passkey.add", subject })
    const mail = { kind: "passkey_added", source: `passkey:${id}:added`, facts: {} } as const
    await queueMail(client, { accountId, ...mail, alsoTo: userId })
  })
  return { id: subject }
}
