import { publicId } from "@/lib/server/platform/ids"
import { pico, usd12 } from "@/lib/shared/money"
import type { TopupStatus } from "./topup-row"

/** A top-up as the console shows it; exact USD texts. */
export interface Topup {
  id: string
  at: string
  creditUsd: string
  /** All that was paid, tax included; null while it is not paid. */
  paidUsd: string | null
  status: TopupStatus
  /** What of the credit was taken back. */
  refundedUsd: string
  disputedUsd: string
  /** Where an open checkout goes on. */
  checkoutUrl: string | null
  receiptUrl: string | null
}

interface TopupFields {
  id: string
  createdAt: Date
  amountCents: number
  paidCents: number | null
  status: string
  refundDebitCents: number
  disputeDebitCents: number
  checkoutUrl: string | null
  receiptUrl: string | null
}

const usd = (cents: number): string => usd12(pico(BigInt(cents) * 10_000_000_000n))

/** A row of `topup` without what only the server needs. */
export const toTopup = (row: TopupFields): Topup => ({
  id: publicId("top", row.id),
  at: row.createdAt.toISOString(),
  creditUsd: usd(row.amountCents),
  paidUsd: row.paidCents === null ? null : usd(row.paidCents),
  status: row.status as TopupStatus,
  refundedUsd: usd(row.refundDebitCents),
  disputedUsd: usd(row.disputeDebitCents),
  checkoutUrl: row.status === "open" ? row.checkoutUrl : null,
  receiptUrl: row.receiptUrl,
})
