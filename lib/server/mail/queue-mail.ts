import type { ClientBase } from "pg"
import { NOTICES, type NoticeFacts, type NoticeKind } from "./notices"

interface QueuedMail<Kind extends NoticeKind> {
  accountId: string
  kind: Kind
  /** Names what caused it. The same source never queues a second mail to the same member. */
  source: string
  facts: Omit<NoticeFacts[Kind], "keyName">
}

const INSERT = `
  INSERT INTO queued_mail (id, account_id, user_id, kind, source, facts)
  SELECT gen_random_uuid(), account_id, user_id, $2, $3, $4
  FROM member WHERE account_id = $1 AND role = ANY ($5) AND ($6 OR $2 <> ALL (muted_mail))
  ON CONFLICT (user_id, source) DO NOTHING`

/**
 * Queues a mail to each member of the account whose role it concerns and who wants it, in the transaction of its cause. A job
 * sends it.
 */
export async function queueMail<Kind extends NoticeKind>(
  client: ClientBase,
  { accountId, kind, source, facts }: QueuedMail<Kind>,
): Promise<void> {
  const { roles, isSecurity } = NOTICES[kind]
  await client.query(INSERT, [accountId, kind, source, facts, roles, isSecurity])
}
