export interface Paid {
  creditCents: number
  /** All that was paid, tax included. */
  paidCents: number
  refundedCents: number
  disputedCents: number
}

/** The part of the credit that `takenCents` of the payment stand for, rounded to the cent. */
const part = (takenCents: number, { creditCents, paidCents }: Paid): number =>
  Math.min(creditCents, Math.round((takenCents * creditCents) / paidCents))

/** What of a top-up's credit is taken back for its refunds and disputes, in cents; together never more than was credited. */
export function debitsOf(paid: Paid): { refundCents: number; disputeCents: number } {
  const refundCents = part(paid.refundedCents, paid)
  return { refundCents, disputeCents: Math.min(paid.creditCents - refundCents, part(paid.disputedCents, paid)) }
}
