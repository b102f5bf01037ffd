import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { systemFor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { type CheckoutFacts, ForeignCheckout, readCheckout } from "./checkout-facts"
import { debitsOf } from "./debits"
import { findSession } from "./find-session"
import type { Payments } from "./payments"
import { findTopup, lockTopup, type TopupRow } from "./topup-row"

const PICO_PER_CENT = 10_000_000_000n
const MOST_TRIES = 5

const cents = (amount: number) => pico(BigInt(amount) * PICO_PER_CENT)

/** Posts what the ledger lacks of this top-up. Each entry's source is its own, so that none is ever posted twice. */
async function postDifference(client: PoolClient, row: TopupRow, facts: CheckoutFacts & { paidCents: number }) {
  const { id, accountId, amountCents, version } = row
  const subject = publicId("top", id)
  const isNew = await postEntry(client, {
    accountId,
    kind: "topup",
    amountPico: cents(amountCents),
    source: `topup:${id}`,
  })
  if (isNew) await recordAudit(client, systemFor(accountId), { action: "topup.paid", subject })
  const { refundCents, disputeCents } = debitsOf({ creditCents: amountCents, ...facts })
  const post = async (kind: "refund" | "dispute", before: number, after: number) => {
    if (before === after) return
    await postEntry(client, {
      accountId,
      kind,
      amountPico: cents(before - after),
      source: `topup:${id}:${kind}:${version + 1}`,
    })
    await recordAudit(client, systemFor(accountId), { action: "topup.adjust", subject, detail: kind })
  }
  await post("refund", row.refundDebitCents, refundCents)
  await post("dispute", row.disputeDebitCents, disputeCents)
  return { refundCents, disputeCents }
}

/**
 * Makes row and ledger what Stripe said, in one transaction. False when another reading was settled since `seen`: ours may
 * be the older one, so Stripe is to be asked again.
 */
async function settle(seen: TopupRow, sessionId: string, facts: CheckoutFacts): Promise<boolean> {
  return inTransaction(runtime().pool, async (client) => {
    const row = await lockTopup(client, seen.id)
    if (row?.version !== seen.version) return false
    // What was paid once stays paid: refunds and disputes are entries of their own.
    if (row.status === "paid" && facts.status !== "paid") return true
    const { paidCents } = facts
    const debits =
      paidCents === null
        ? { refundCents: 0, disputeCents: 0 }
        : await postDifference(client, row, { ...facts, paidCents })
    await client.query(
      `UPDATE topup SET status = $2, session_id = $3, payment_intent_id = $4, paid_cents = $5, refund_debit_cents = $6,
         dispute_debit_cents = $7, receipt_url = $8, checkout_url = $9, version = version + 1, checked_at = now()
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
      ],
    )
    return true
  })
}

/** Remembers that Stripe was asked. A row whose checkout was never opened expires when none could be opened for it any more. */
async function markChecked(id: string): Promise<void> {
  await runtime().pool.query(
    `UPDATE topup SET checked_at = now(), version = version + 1,
       status = CASE WHEN status = 'created' AND created_at < now() - interval '2 hours' THEN 'expired' ELSE status END
     WHERE id = $1 AND session_id IS NULL`,
    [id],
  )
}

/** For the operator: nothing was changed, and asking again at once would not help. */
async function tellForeign(row: TopupRow, { message }: ForeignCheckout): Promise<void> {
  const { log, pool } = runtime()
  log.error("a checkout does not match its top-up: nothing is credited", {
    accountId: row.accountId,
    reason: `${message}, ${publicId("top", row.id)}`,
  })
  await pool.query("UPDATE topup SET checked_at = now() WHERE id = $1", [row.id])
}

async function readAndSettle(payments: Payments, topupId: string): Promise<TopupRow | null> {
  const { pool } = runtime()
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const row = await findTopup(pool, "id", topupId)
    if (!row) return null
    const sessionId = row.sessionId ?? (await findSession(payments, row))?.id
    if (!sessionId) {
      await markChecked(row.id)
      return findTopup(pool, "id", topupId)
    }
    try {
      if (await settle(row, sessionId, await readCheckout(payments, row, sessionId)))
        return findTopup(pool, "id", topupId)
    } catch (error) {
      if (!(error instanceof ForeignCheckout)) throw error
      await tellForeign(row, error)
      return row
    }
  }
  throw new Error("a top-up changed too often to be settled")
}

/**
 * Brings one top-up to what Stripe says now: credited once when paid, debited for refunds and disputes, marked when it failed
 * or expired. Called from the webhook, the return page and the poller, in any order and as often as they like. Answers the
 * row as it then is; null for an unknown id. Rejects when Stripe cannot be asked: whoever called tries again.
 */
export async function reconcileTopup(topupId: string): Promise<TopupRow | null> {
  const { payments, pool } = runtime()
  if (!payments) return findTopup(pool, "id", topupId)
  return payments.readings.run(topupId, () => readAndSettle(payments, topupId))
}
