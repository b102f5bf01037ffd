import { sign } from "node:crypto"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { canonicalJson } from "@/lib/shared/evaluate/export/hash"
import type { RecordSignature, SignRecordInput } from "@/lib/shared/evaluate/export/record-signature"
import { lockSigningKey } from "./signing-keys"

/**
 * Signs the SHA-256 of a sign-off record with the installation's key, and states who asked and when. Nothing else of the record gets
 * here. Needs `decisions.run`, like Evaluate itself: no one else can make a record. Throws `rate_limited`.
 */
export async function signRecord(
  runtime: Runtime,
  actor: UserActor,
  { sha256 }: SignRecordInput,
): Promise<RecordSignature> {
  requireRight(actor, "decisions.run")
  await requireWithinRate(runtime, "signatures", actor.accountId)
  return inTransaction(runtime.pool, async (client) => {
    const { id, publicKey, privateKey, at } = await lockSigningKey(client, runtime)
    const { accountId: account, email: person } = actor
    const statement = canonicalJson({ account, at: at.toISOString(), person, sha256 })
    await recordAudit(client, actor, { action: "record.sign", subject: id, detail: sha256 })
    return { statement, signature: sign(null, Buffer.from(statement), privateKey).toString("base64url"), publicKey }
  })
}
