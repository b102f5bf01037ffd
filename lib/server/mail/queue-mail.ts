import type { ClientBase } from "pg"
import { NOTICES, type NoticeFacts, type NoticeKind } from "./notices"

/** Facts that are looked up when the mail is sent, so that the queue holds no name and no address. */
type LookedUp = "keyName" | "email" | "by" | "isYou"

interface QueuedMail<Kind extends NoticeKind> {
  accountId: string
  kind: Kind
  /** Names what caused it. The same source never queues a second mail to the same user. */
  source: string
  facts: Omit<NoticeFacts[Kind], LookedUp>
  /** A member who gets it whatever their role. */
  alsoTo?: string
}

const INSERT = `
  INSERT INTO queued_mail (id, account_id, user_id, kind, source, facts)
  SELECT gen_random_uuid(), account_id, user_id, $2, $3, $4
  FROM member WHERE account_id = ANY ($1) AND (role = ANY ($5) OR user_id = $7) AND ($6 OR $2 <> ALL (muted_mail))
  ON CONFLICT (user_id, source) DO NOTHING`

/**
 * Queues a mail to each member of the account whose role it concerns and who wants it, in the transaction of its cause. A job
 * sends it.
 */
export const queueMail = <Kind extends NoticeKind>(
  client: ClientBase,
  { accountId, ...mail }: QueuedMail<Kind>,
): Promise<void> => queueMailToAll(client, [accountId], mail)

/** Does the same for several accounts. A member of two of them gets one mail. */
export async function queueMailToAll<Kind extends NoticeKind>(
  client: ClientBase,
  accountIds: readonly string[],
  { kind, source, facts, alsoTo }: Omit<QueuedMail<Kind>, "accountId">,
): Promise<void> {
  const { roles, isSecurity } = NOTICES[kind]
  await client.query(INSERT, [accountIds, kind, source, facts, roles, isSecurity, alsoTo ?? null])
}
