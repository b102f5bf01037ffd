import type { ClientBase } from "pg"
import { type DueRow, sendDueRows } from "@/lib/server/platform/db/due-rows"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { MemberCard } from "@/lib/shared/accounts/members"
import { type FarewellFacts, type FarewellKind, sendFarewell } from "./farewell-mail"

const TABLE = "farewell_mail"

/** Less than a day, because the job that deletes them runs every ten minutes. */
const KEPT = "23 hours"

interface QueuedFarewell {
  accountId: string
  kind: FarewellKind
  to: readonly string[]
  /** Who did it. The address is looked up when the mail is sent. */
  byUserId: string
  /** What happened to the card that the reader had saved. */
  card?: MemberCard
}

const INSERT = `
  INSERT INTO farewell_mail (id, account_id, address, kind, facts)
  SELECT gen_random_uuid(), a.id, address, $2, jsonb_build_object('account', a.name, 'byUserId', $4::uuid, 'card', $5::text)
  FROM account a CROSS JOIN unnest($3::text[]) AS address WHERE a.id = $1`

/**
 * Queues a mail to addresses that lose access or are no longer used, in the transaction of its cause, before the account's name is
 * erased. A job sends it. The row has the address and the account's name until then, for a day at most.
 */
export async function queueFarewell(
  client: ClientBase,
  { accountId, kind, to, byUserId, card = "none" }: QueuedFarewell,
): Promise<void> {
  await client.query(INSERT, [accountId, kind, to, byUserId, card])
}

interface Row {
  id: string
  address: string
  kind: FarewellKind
  account: string | null
  by: string | null
  card: MemberCard | null
}

const SELECT = `
  SELECT f.id, f.address, f.kind, coalesce(f.facts->>'account', nullif(account_name(f.account_id), '')) AS account,
    f.facts->>'card' AS card, CASE WHEN u.erased_at IS NULL THEN u.email END AS by
  FROM farewell_mail f LEFT JOIN app_user u ON u.id = (f.facts->>'byUserId')::uuid WHERE f.id = ANY ($1)`

function factsOf({ kind, account, by, card }: Row): FarewellFacts[FarewellKind] {
  if (kind === "user_deleted") return {}
  return kind === "address_changed"
    ? { newEmail: by ?? "another address" }
    : { account, by: by ?? "An owner", card: card ?? "none" }
}

async function send(runtime: Runtime, row: Row): Promise<void> {
  const { id, address: to, kind } = row
  const facts = factsOf(row)
  try {
    await sendFarewell(runtime, { id, to }, { kind, facts } as Parameters<typeof sendFarewell>[2])
  } catch {
    // The mailer logged it. `next_at` holds the next attempt.
    return
  }
  await runtime.pool.query("DELETE FROM farewell_mail WHERE id = $1", [id])
}

async function sendBatch(runtime: Runtime, due: DueRow[]): Promise<void> {
  const { rows } = await runtime.pool.query<Row>(SELECT, [due.map(({ id }) => id)])
  for (const row of rows) await send(runtime, row)
}

/** Sends the farewells that are due, and deletes those that were sent. Returns how many it tried. */
export const sendFarewells = (runtime: Runtime): Promise<number> =>
  sendDueRows(runtime.pool, TABLE, (due) => sendBatch(runtime, due))

/** Deletes farewells that could not be sent for 23 hours, so that no address is kept for longer than a day. */
export async function dropOldFarewells({ pool, log }: Runtime): Promise<void> {
  const { rowCount } = await pool.query(`DELETE FROM farewell_mail WHERE created_at < now() - interval '${KEPT}'`)
  if (rowCount)
    log.warn("Mails to people who lost access could not be sent for 23 hours and were deleted", {
      event: "mail.farewell_dropped",
      count: rowCount,
    })
}
