import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { queueEvent } from "@/lib/server/events/queue-event"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { queueMail } from "@/lib/server/mail/queue-mail"
import { systemFor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { fromCents, pico, usd12, usdOfCents } from "@/lib/shared/money"
import { type ChargeFailure, chargeCard } from "./charge-card"
import { pauseAfterFailure, pauseForDispute } from "./pause-auto-topup"
import type { Payments } from "./payments"
import { type CheckoutFacts, ForeignCheckout, findCheckout, readCheckout } from "./read-checkout"
import { saveCard } from "./saved-card"
import { findTopup, lockTopup, type TopupRow } from "./topup"

const MAX_ATTEMPTS = 5

interface PaidTopup {
  creditCents: number
  /** The payment, including tax. */
  paidCents: number
  refundedCents: number
  disputedCents: number
}

/** Returns the part of the credit that corresponds to `returnedCents` of the payment, rounded to the cent. */
const creditOf = (returnedCents: number, { creditCents, paidCents }: PaidTopup): number =>
  Math.min(creditCents, Math.round((returnedCents * creditCents) / paidCents))

/** Returns the cents of credit to debit for refunds and disputes, together never more than the credit. */
function debitsOf(paid: PaidTopup): { refundCents: number; disputeCents: number } {
  const refundCents = creditOf(paid.refundedCents, paid)
  return { refundCents, disputeCents: Math.min(paid.creditCents - refundCents, creditOf(paid.disputedCents, paid)) }
}

async function announcePaid(client: PoolClient, { id, accountId, amountCents, isAutomatic }: TopupRow): Promise<void> {
  const { rows } = await client.query<{ balance: string }>(
    "SELECT balance_pico AS balance FROM account WHERE id = $1",
    [accountId],
  )
  await queueMail(client, {
    accountId,
    kind: isAutomatic ? "auto_topup_done" : "topup_paid",
    source: `topup:${id}`,
    facts: { amountUsd: usdOfCents(amountCents), balanceUsd: usd12(pico(rows[0]?.balance ?? 0)) },
  })
  await queueEvent(client, {
    accountId,
    type: "topup.paid",
    source: `topup:${id}`,
    data: {
      account_id: publicId("acc", accountId),
      topup_id: publicId("top", id),
      amount_usd: usd12(fromCents(amountCents)),
    },
  })
}

/** Posts the ledger entries that a top-up still lacks. Each has its own source, so that none is posted twice. */
async function postDifference(client: PoolClient, row: TopupRow, facts: CheckoutFacts & { paidCents: number }) {
  const { id, accountId, amountCents, version } = row
  const subject = publicId("top", id)
  const isNew = await postEntry(client, {
    accountId,
    kind: "topup",
    amountPico: fromCents(amountCents),
    source: `topup:${id}`,
  })
  if (isNew) {
    await recordAudit(client, systemFor(accountId), { action: "topup.paid", subject })
    await announcePaid(client, row)
    if (facts.card) await saveCard(client, row, facts.card)
  }
  const { refundCents, disputeCents } = debitsOf({ creditCents: amountCents, ...facts })
  const post = async (kind: "refund" | "dispute", before: number, after: number) => {
    if (before === after) return
    await postEntry(client, {
      accountId,
      kind,
      amountPico: fromCents(before - after),
      source: `topup:${id}:${kind}:${version + 1}`,
    })
    await recordAudit(client, systemFor(accountId), { action: "topup.adjust", subject, detail: kind })
    if (after > before)
      await queueMail(client, {
        accountId,
        kind: kind === "refund" ? "topup_refunded" : "topup_disputed",
        source: `topup:${id}:${kind}:${version + 1}`,
        facts: { amountUsd: usdOfCents(after - before) },
      })
  }
  await post("refund", row.refundDebitCents, refundCents)
  await post("dispute", row.disputeDebitCents, disputeCents)
  if (disputeCents > row.disputeDebitCents) await pauseForDispute(client, row)
  return { refundCents, disputeCents }
}

type SettledFacts = CheckoutFacts & { failure?: ChargeFailure }

/**
 * Updates row and ledger to the fetched state in one transaction. Returns false when the row was changed since `seen`: `facts`
 * may then be outdated, and the caller must fetch again.
 */
async function settle(
  { pool }: Runtime,
  seen: TopupRow,
  sessionId: string | null,
  facts: SettledFacts,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const row = await lockTopup(client, seen.id)
    if (row?.version !== seen.version) return false
    // A paid top-up stays paid. Refunds and disputes are entries of their own. What the operator settled or ended stays so.
    if ((row.status === "paid" && facts.status !== "paid") || row.resolution !== null) return true
    const { paidCents, failure } = facts
    if (row.status === "processing" && failure) await pauseAfterFailure(client, row, failure)
    const debits =
      paidCents === null
        ? { refundCents: 0, disputeCents: 0 }
        : await postDifference(client, row, { ...facts, paidCents })
    if (facts.attention !== null && row.attention === null)
      await recordAudit(client, systemFor(row.accountId), {
        action: "topup.attention",
        subject: publicId("top", row.id),
        detail: facts.attention,
      })
    await client.query(
      `UPDATE topup SET status = $2, session_id = $3, payment_intent_id = $4, paid_cents = $5, refund_debit_cents = $6,
         dispute_debit_cents = $7, receipt_url = $8, checkout_url = $9, attention = $10, version = version + 1, checked_at = now()
       WHERE id = $1`,
      [
        row.id,
        facts.status,
        sessionId,
        facts.paymentIntentId,
        paidCents,
        debits.refundCents,
        debits.disputeCents,
        facts.receiptUrl,
        facts.checkoutUrl,
        facts.attention,
      ],
    )
    return true
  })
}

/** Records the check of a top-up without a session. It expires after two hours, when no session can be opened any more. */
async function markChecked({ pool }: Runtime, id: string): Promise<void> {
  await pool.query(
    `UPDATE topup SET checked_at = now(), version = version + 1,
       status = CASE WHEN status = 'created' AND created_at < now() - interval '2 hours' THEN 'expired' ELSE status END
     WHERE id = $1 AND session_id IS NULL`,
    [id],
  )
}

function logMismatch({ log }: Runtime, row: TopupRow, reason: string): void {
  log.error("A checkout does not match its top-up. Nothing was credited", {
    event: "topup.mismatch",
    accountId: row.accountId,
    reason: `${reason}, ${publicId("top", row.id)}`,
  })
}

/** Logs a checkout or payment of another top-up or Stripe account, and delays the next check, because an immediate retry would not help. */
async function reportForeign(runtime: Runtime, row: TopupRow, { message }: ForeignCheckout): Promise<void> {
  logMismatch(runtime, row, message)
  await runtime.pool.query("UPDATE topup SET checked_at = now() WHERE id = $1", [row.id])
}

/** Settles the payment of an automatic top-up, which has no checkout. Returns false when the row changed meanwhile. */
async function chargeAndSettle(runtime: Runtime, payments: Payments, seen: TopupRow): Promise<boolean> {
  const { row, facts } = await chargeCard(runtime, payments, seen)
  return settle(runtime, row, null, facts)
}

async function checkoutAndSettle(runtime: Runtime, payments: Payments, row: TopupRow): Promise<boolean> {
  const sessionId = row.sessionId ?? (await findCheckout(runtime, payments, row))?.id
  if (!sessionId) {
    await markChecked(runtime, row.id)
    return true
  }
  const facts = await readCheckout(payments, row, sessionId)
  const isSettled = await settle(runtime, row, sessionId, facts)
  if (isSettled && facts.attention !== null && row.attention === null) logMismatch(runtime, row, facts.attention)
  return isSettled
}

async function readAndSettle(runtime: Runtime, payments: Payments, topupId: string): Promise<TopupRow | null> {
  const { pool } = runtime
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const row = await findTopup(pool, "id", topupId)
    if (!row) return null
    try {
      const work = row.isAutomatic ? chargeAndSettle : checkoutAndSettle
      if (await work(runtime, payments, row)) return findTopup(pool, "id", topupId)
    } catch (error) {
      if (error instanceof ForeignCheckout) await reportForeign(runtime, row, error)
      throw error
    }
  }
  throw new Error("a top-up changed too often to be settled")
}

/** Does what `reconcileTopup` does, and rejects with `ForeignCheckout` when the payment at Stripe does not match the top-up. */
export async function requireReconciled(runtime: Runtime, topupId: string): Promise<TopupRow | null> {
  const { payments, pool } = runtime
  if (!payments) return findTopup(pool, "id", topupId)
  return payments.fetches.run(topupId, () => readAndSettle(runtime, payments, topupId))
}

/**
 * Brings a top-up to its state at Stripe: credits it once when paid, debits refunds and disputes, marks failure or expiry.
 * Webhook, return page and poller may call it in any order and any number of times. Returns the new row, or null for an unknown id. A
 * completed checkout that cannot be credited needs attention. Another top-up's or Stripe account's is logged and changes nothing.
 * Rejects when Stripe is unreachable; the caller tries again later.
 */
export function reconcileTopup(runtime: Runtime, topupId: string): Promise<TopupRow | null> {
  return requireReconciled(runtime, topupId).catch((error: unknown) => {
    if (error instanceof ForeignCheckout) return findTopup(runtime.pool, "id", topupId)
    throw error
  })
}
