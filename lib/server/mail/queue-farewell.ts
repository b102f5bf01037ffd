import type { ClientBase } from "pg"
import { type DueRow, sendDueRows } from "@/lib/server/platform/db/due-rows"
import { runtime } from "@/lib/server/platform/runtime"
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
}

const INSERT = `
  INSERT INTO farewell_mail (id, account_id, address, kind, facts)
  SELECT gen_random_uuid(), a.id, address, $2, jsonb_build_object('account', a.name, 'byUserId', $4::uuid)
  FROM account a CROSS JOIN unnest($3::text[]) AS address WHERE a.id = $1`

/**
 * Queues a mail to people who lose access, in the transaction of its cause, before the account's name is erased. A job sends it. The row
 * has the address and the account's name until then, for 23 hours at most.
 */
export async function queueFarewell(client: ClientBase, farewell: QueuedFarewell): Promise<void> {
  await client.query(INSERT, [farewell.accountId, farewell.kind, farewell.to, farewell.byUserId])
}

interface Row {
  id: string
  address: string
  kind: FarewellKind
  account: string | null
  by: string | null
}

const SELECT = `
  SELECT f.id, f.address, f.kind, f.facts->>'account' AS account, CASE WHEN u.erased_at IS NULL THEN u.email END AS by
  FROM farewell_mail f LEFT JOIN app_user u ON u.id = (f.facts->>'byUserId')::uuid WHERE f.id = ANY ($1)`

async function send({ id, address: to, kind, account, by }: Row): Promise<void> {
  const facts: FarewellFacts[FarewellKind] = kind === "user_deleted" ? {} : { account, by: by ?? "An owner" }
  try {
    await sendFarewell({ id, to }, { kind, facts } as Parameters<typeof sendFarewell>[1])
  } catch {
    // The mailer logged it. `next_at` holds the next attempt.
    return
  }
  await runtime().pool.query("DELETE FROM farewell_mail WHERE id = $1", [id])
}

async function sendBatch(due: DueRow[]): Promise<void> {
  const { rows } = await runtime().pool.query<Row>(SELECT, [due.map(({ id }) => id)])
  for (const row of rows) await send(row)
}

/** Sends the farewells that are due, and deletes those that were sent. Returns how many it tried. */
export const sendFarewells = (): Promise<number> => sendDueRows(runtime().pool, TABLE, sendBatch)

/** Deletes farewells that could not be sent for 23 hours, so that no address is kept for longer than a day. */
export async function dropOldFarewells(): Promise<void> {
  const { pool, log } = runtime()
  const { rowCount } = await pool.query(`DELETE FROM farewell_mail WHERE created_at < now() - interval '${KEPT}'`)
  if (rowCount)
    log.warn("Mails to people who lost access could not be sent for 23 hours and were deleted", {
      event: "mail.farewell_dropped",
      count: rowCount,
    })
}
