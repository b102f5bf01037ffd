import type { PauseReason } from "@/lib/shared/billing/auto-topup"
import { cardName } from "@/lib/shared/billing/saved-card"
import { formatBalance, formatExactUsd, formatUsd } from "@/lib/shared/format"
import { type Notices, PAYERS } from "./notice"

/** Why the card is gone: the member who saved it is no longer an owner, or it was removed at Stripe. */
export type CardEnd = "owner_left" | "detached"

/** Money is exact USD text. */
export interface AutoTopupFacts {
  auto_topup_done: { amountUsd: string; balanceUsd: string }
  auto_topup_failed: { amountUsd: string; reason: Exclude<PauseReason, "dispute">; brand: string; last4: string }
  /** `capUsd` is null for a dispute. */
  auto_topup_paused: { reason: "cap" | "dispute"; capUsd: string | null }
  auto_topup_ended: { reason: CardEnd }
}

const PAGE = "/billing/auto-top-up"

const REFUSALS = {
  authentication: "the bank asks you to confirm it",
  declined: "the card was declined",
  refused: "the card can no longer be charged",
}

const PAUSES = {
  cap: {
    subject: "Automatic top-up has reached its monthly maximum",
    terms: "It continues by itself on the first day of the next month, at 00:00 UTC.",
  },
  dispute: {
    subject: "Automatic top-up is paused",
    terms: "Requests are refused once the balance is used up. You can add credit yourself at any time.",
  },
}

const CARD_ENDS = {
  owner_left: "The person who saved the card is no longer an owner of the account, so the card was removed",
  detached: "The saved card was removed at the payment provider",
}

export const AUTO_TOPUP_NOTICES: Notices<AutoTopupFacts> = {
  auto_topup_done: {
    label: "Credit was added automatically",
    isSecurity: false,
    roles: PAYERS,
    sample: { amountUsd: "25.000000000000", balanceUsd: "29.500000000000" },
    write: ({ amountUsd, balanceUsd }) => ({
      subject: `${formatUsd(amountUsd)} of credit added automatically`,
      intro: `The balance fell to the amount that you chose, so the saved card was charged: ${formatUsd(amountUsd)} of credit was added, and the balance is ${formatBalance(balanceUsd)}. Open billing for the receipt`,
      action: { label: "Open billing", path: "/billing" },
      terms: "To change automatic top-up or turn it off, open Billing.",
    }),
  },
  auto_topup_failed: {
    label: "An automatic top-up failed",
    isSecurity: false,
    roles: PAYERS,
    sample: { amountUsd: "25.000000000000", reason: "authentication", brand: "visa", last4: "3184" },
    write: ({ amountUsd, reason, brand, last4 }) => ({
      subject: `Automatic top-up of ${formatUsd(amountUsd)} failed`,
      intro: `The ${cardName({ brand, last4 })} could not be charged ${formatUsd(amountUsd)}, because ${REFUSALS[reason]}. No credit was added, and automatic top-up is paused. Complete the payment, or save another card`,
      action: { label: "Complete the payment", path: PAGE },
      terms: "Requests are refused once the balance is used up. Automatic top-up continues once a card works again.",
    }),
  },
  auto_topup_paused: {
    label: "Automatic top-up is paused",
    isSecurity: false,
    roles: PAYERS,
    sample: { reason: "cap", capUsd: "100.000000000000" },
    write: ({ reason, capUsd }) => ({
      subject: PAUSES[reason].subject,
      intro:
        reason === "cap"
          ? `The balance is low again, but automatic top-ups have reached your maximum of ${formatExactUsd(capUsd ?? "0")} for this month. Add credit yourself, or raise the maximum`
          : "A payment was disputed, so automatic top-up is paused and your card is not charged. Once the dispute is settled, turn it on again",
      action: { label: "Open automatic top-up", path: PAGE },
      terms: PAUSES[reason].terms,
    }),
  },
  auto_topup_ended: {
    label: "Automatic top-up has ended",
    isSecurity: false,
    roles: PAYERS,
    sample: { reason: "owner_left" },
    write: ({ reason }) => ({
      subject: "Automatic top-up has ended",
      intro: `${CARD_ENDS[reason]}, and no more credit is added automatically. An owner can save another card and turn it on again`,
      action: { label: "Open automatic top-up", path: PAGE },
      terms: "Requests are refused once the balance is used up. You can add credit yourself at any time.",
    }),
  },
}
