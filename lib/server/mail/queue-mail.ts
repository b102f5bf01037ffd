import type { ClientBase } from "pg"
import type { MemberCard } from "@/lib/shared/accounts/members"
import type { FarewellKind } from "./farewells"
import { NOTICES, type NoticeFacts, type NoticeKind } from "./notices"

/** Facts that are looked up when the mail is sent, so that the queue holds no name and no address. */
type LookedUp = "keyName" | "tokenName" | "budgetName" | "email" | "by" | "isYou"

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

interface QueuedFarewell {
  accountId: string
  kind: FarewellKind
  to: readonly string[]
  /** Who did it. The address is looked up when the mail is sent. */
  byUserId: string
  /** What happened to the card that the reader had saved. */
  card?: MemberCard
}

const INSERT_FAREWELL = `
  INSERT INTO queued_mail (id, account_id, address, kind, facts)
  SELECT gen_random_uuid(), a.id, address, $2, jsonb_build_object('account', a.name, 'byUserId', $4::uuid, 'card', $5::text)
  FROM account a CROSS JOIN unnest($3::text[]) AS address WHERE a.id = $1`

/**
 * Queues a mail to addresses that lose access or are no longer used, in the transaction of its cause, before the account's name is
 * erased. The row has the address and the account's name until it is sent, for a day at most.
 */
export async function queueFarewell(
  client: ClientBase,
  { accountId, kind, to, byUserId, card = "none" }: QueuedFarewell,
): Promise<void> {
  await client.query(INSERT_FAREWELL, [accountId, kind, to, byUserId, card])
}
