import { recordAudit } from "@/lib/server/audit/record-audit"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { UserActor } from "@/lib/server/platform/user-actor"
import type { EndSessionInput } from "@/lib/shared/auth/schema"
import { ServiceError } from "@/lib/shared/errors"
import { hashSessionToken } from "./session-cookie"

interface EndedRow {
  id: string
  user_id: string
  account_id: string | null
}

const ENDED = `RETURNING id, user_id,
  (SELECT account_id FROM member m WHERE m.user_id = session.user_id ORDER BY role = 'owner' DESC, created_at LIMIT 1) AS account_id`

/** Ends the sessions that `where` names and notes each in the audit log, in one transaction; answers how many there were. */
async function end(where: string, values: unknown[], clientAddress: string | null): Promise<number> {
  return inTransaction(runtime().pool, async (client) => {
    const { rows } = await client.query<EndedRow>(`DELETE FROM session WHERE ${where} ${ENDED}`, values)
    for (const row of rows)
      await recordAudit(client, {
        accountId: row.account_id,
        actor: `user:${row.user_id}`,
        action: "session.end",
        subject: publicId("ses", row.id),
        clientAddress,
      })
    return rows.length
  })
}

/** Ends the session of a token; anything else is left alone. */
export async function endSession(token: string | undefined, clientAddress: string | null): Promise<void> {
  const hash = hashSessionToken(token)
  if (hash) await end("token_hash = $1", [hash], clientAddress)
}

/** Ends one of the actor's own sessions. A foreign one answers like one that does not exist. */
export async function endOwnSession(actor: UserActor, { id }: EndSessionInput): Promise<{ id: string }> {
  const sessionId = parsePublicId("ses", id)
  const ended = sessionId ? await end("id = $1 AND user_id = $2", [sessionId, actor.userId], actor.clientAddress) : 0
  if (ended === 0) throw new ServiceError("not_found", { message: "There is no such session. It may have ended." })
  return { id }
}

/** Ends every session of the actor, the one that asks too. */
export async function endAllSessions(actor: UserActor): Promise<void> {
  await end("user_id = $1", [actor.userId], actor.clientAddress)
}
