import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { queueMail } from "@/lib/server/mail/queue-mail"
import { systemFor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { PauseReason } from "@/lib/shared/billing/auto-topup"
import { usdOfCents } from "@/lib/shared/money"
import { THIS_MONTH } from "./months"
import type { TopupRow } from "./topup"

// A dispute replaces any other reason, so that a new card does not resume while it is open.
const PAUSE = `
  UPDATE auto_topup SET state = 'paused', pause_reason = $2
  WHERE account_id = $1 AND (state = 'on' OR state = 'paused' AND pause_reason <> 'dispute' AND $2 = 'dispute')`

async function pause(client: PoolClient, accountId: string, reason: PauseReason): Promise<boolean> {
  const { rowCount } = await client.query(PAUSE, [accountId, reason])
  if (rowCount !== 1) return false
  await recordAudit(client, systemFor(accountId), { action: "auto_topup.pause", detail: reason })
  return true
}

/** Pauses automatic top-up after a failed charge, and queues the mail that says how to continue. */
export async function pauseAfterFailure(
  client: PoolClient,
  { id, accountId, amountCents, paymentMethodId }: TopupRow,
  reason: Exclude<PauseReason, "dispute">,
): Promise<void> {
  await pause(client, accountId, reason)
  const { rows } = await client.query<Row<"SavedCard", "brand" | "last4">>(
    "SELECT brand, last4 FROM saved_card WHERE payment_method_id = $1",
    [paymentMethodId],
  )
  const { brand = "card", last4 = "" } = rows[0] ?? {}
  await queueMail(client, {
    accountId,
    kind: "auto_topup_failed",
    source: `topup:${id}:failed`,
    facts: { amountUsd: usdOfCents(amountCents), reason, brand, last4 },
  })
}

/** Pauses automatic top-up while a payment is disputed, because a new charge would probably be disputed too. */
export async function pauseForDispute(client: PoolClient, { id, accountId }: TopupRow): Promise<void> {
  if (!(await pause(client, accountId, "dispute"))) return
  await queueMail(client, {
    accountId,
    kind: "auto_topup_paused",
    source: `topup:${id}:auto_topup_paused`,
    facts: { reason: "dispute", capUsd: null },
  })
}

/** Resumes automatic top-up with a new card, if a failed charge had paused it and this is the card in use. */
export async function resumeWithCard(client: PoolClient, accountId: string, paymentMethodId: string): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE auto_topup SET state = 'on', pause_reason = NULL
     WHERE account_id = $1 AND state = 'paused' AND pause_reason <> 'dispute' AND EXISTS (
       SELECT FROM saved_card WHERE payment_method_id = $2 AND removed_at IS NULL)`,
    [accountId, paymentMethodId],
  )
  if (rowCount === 1) await recordAudit(client, systemFor(accountId), { action: "auto_topup.resume" })
}

const CAPPED = `
  UPDATE auto_topup SET capped_in = ${THIS_MONTH} WHERE account_id = $1
  RETURNING capped_in::text AS month, cap_cents`

/** Notes that the cap stops further charges in this month, and queues one mail about it. */
export async function pauseForCap(client: PoolClient, accountId: string): Promise<void> {
  const { rows } = await client.query<Row<"AutoTopup", "cap_cents"> & { month: string }>(CAPPED, [accountId])
  const [capped] = rows
  if (!capped) return
  await queueMail(client, {
    accountId,
    kind: "auto_topup_paused",
    // The same cap is reported once in a month. A raised cap that is reached again is reported again.
    source: `auto_topup:${publicId("acc", accountId)}:${capped.month}:${capped.cap_cents}`,
    facts: { reason: "cap", capUsd: usdOfCents(capped.cap_cents) },
  })
}
