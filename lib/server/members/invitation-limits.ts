import type { PoolClient } from "pg"
import { LOCKS } from "@/lib/server/platform/db/locks"
import { ServiceError } from "@/lib/shared/errors"

/**
 * Invitation mails per hour, counted apart from sign-in links, so that invitations never keep anybody from signing in. `pair` is of
 * one account to one address. What other accounts send, to an address or from the same network, limits nobody else.
 */
const MAX_PER_HOUR = { pair: 3, account: 20, service: 500 } as const

/** Others can use up what the service may send. So that limit refuses an account only after this many of its own. */
const OWN_PER_HOUR = 3

/** How many members and open invitations an account can have together. */
const MAX_MEMBERS = 100

// The address's own open invitation is replaced or sent again, so it is not one of the others.
const COUNTS = `
  SELECT count(*) FILTER (WHERE account_id = $2 AND email = $1)::int AS pair,
    count(*) FILTER (WHERE account_id = $2)::int AS account, count(*)::int AS service,
    EXISTS (SELECT FROM invitation
      WHERE account_id = $2 AND email = $1 AND accepted_at IS NULL AND revoked_at IS NULL) AS is_open,
    (SELECT count(*) FROM member WHERE account_id = $2)::int + (SELECT count(*) FROM invitation
      WHERE account_id = $2 AND email <> $1 AND accepted_at IS NULL AND revoked_at IS NULL)::int AS others
  FROM invitation_mail WHERE sent_at > now() - interval '1 hour'`

type Counts = Record<keyof typeof MAX_PER_HOUR | "others", number> & { is_open: boolean }

function isOverLimit({ pair, account, service }: Counts): boolean {
  const isUsedUp = service >= MAX_PER_HOUR.service
  return pair >= MAX_PER_HOUR.pair || account >= MAX_PER_HOUR.account || (isUsedUp && account >= OWN_PER_HOUR)
}

/**
 * Counts an invitation mail in the transaction of `client`. Returns false when the address has mails of this hour for the account's
 * open invitation, which is then kept without another one. Throws `rate_limited` at the other limits, of which the number of members
 * is none for an address that is a member's.
 */
export async function countInvitationMail(
  client: PoolClient,
  { accountId, email, isMember }: { accountId: string; email: string; isMember: boolean },
): Promise<boolean> {
  // Held while a mail is counted and stored, so that concurrent invitations cannot all pass the limits.
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCKS.invitations])
  const { rows } = await client.query<Counts>(COUNTS, [email, accountId])
  const counts = rows[0] as Counts
  if (counts.pair >= MAX_PER_HOUR.pair && counts.is_open) return false
  if (isOverLimit(counts))
    throw new ServiceError("rate_limited", { message: "Too many invitations were sent. Try again in an hour." })
  if (!isMember && counts.others >= MAX_MEMBERS)
    throw new ServiceError("rate_limited", {
      message: `An account can have ${MAX_MEMBERS} members and open invitations. Revoke an invitation first.`,
    })
  await client.query("INSERT INTO invitation_mail (account_id, email) VALUES ($1, $2)", [accountId, email])
  return true
}
