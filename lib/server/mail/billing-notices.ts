import { formatBalance, formatExactUsd, formatUsd } from "@/lib/shared/format"
import { type Notices, PAYERS } from "./notice"

/** Money is exact USD text. */
export interface BillingFacts {
  balance_low: { balanceUsd: string; thresholdUsd: string }
  balance_negative: { balanceUsd: string }
  topup_paid: { amountUsd: string; balanceUsd: string }
  topup_refunded: { amountUsd: string }
  topup_disputed: { amountUsd: string }
}

export const BILLING_NOTICES: Notices<BillingFacts> = {
  balance_low: {
    label: "The balance is low",
    event: "balance.low",
    isSecurity: false,
    roles: PAYERS,
    sample: { balanceUsd: "4.500000000000", thresholdUsd: "5.000000000000" },
    write: ({ balanceUsd, thresholdUsd }) => ({
      subject: `Low balance: ${formatBalance(balanceUsd)} left`,
      intro: `The balance has fallen to ${formatBalance(balanceUsd)}, which is at or below your warning of ${formatExactUsd(thresholdUsd)}. Requests are refused once it is used up. Add credit`,
      action: { label: "Add credit", path: "/billing/top-up" },
      terms: "You get this mail once. The next one comes after the balance has been above the warning again.",
    }),
  },
  balance_negative: {
    label: "The balance is below zero",
    isSecurity: false,
    roles: PAYERS,
    sample: { balanceUsd: "-2.000000000000" },
    write: ({ balanceUsd }) => ({
      subject: `Requests are refused: the balance is ${formatBalance(balanceUsd)}`,
      intro: `The balance is ${formatBalance(balanceUsd)}, so requests of this account are refused. See why, and add credit`,
      action: { label: "Open billing", path: "/billing" },
      terms: "Requests work again as soon as the balance is above zero.",
    }),
  },
  topup_paid: {
    label: "Credit was added",
    isSecurity: false,
    roles: PAYERS,
    sample: { amountUsd: "25.000000000000", balanceUsd: "29.500000000000" },
    write: ({ amountUsd, balanceUsd }) => ({
      subject: `${formatUsd(amountUsd)} of credit added`,
      intro: `Your payment has arrived: ${formatUsd(amountUsd)} of credit was added, and the balance is ${formatBalance(balanceUsd)}. Open billing for the receipt`,
      action: { label: "Open billing", path: "/billing" },
      terms: "The receipt is listed with the payment.",
    }),
  },
  topup_refunded: {
    label: "A payment was refunded",
    isSecurity: false,
    roles: PAYERS,
    sample: { amountUsd: "25.000000000000" },
    write: ({ amountUsd }) => ({
      subject: `${formatUsd(amountUsd)} refunded`,
      intro: `A payment was refunded, so ${formatUsd(amountUsd)} of credit was taken from the balance. See the account's payments`,
      action: { label: "Open billing", path: "/billing" },
      terms: "The money returns to the card or account that paid.",
    }),
  },
  topup_disputed: {
    label: "A payment was disputed",
    isSecurity: true,
    roles: PAYERS,
    sample: { amountUsd: "25.000000000000" },
    write: ({ amountUsd }) => ({
      subject: `A payment of ${formatUsd(amountUsd)} was disputed`,
      intro: `The holder of a card disputed a payment, so ${formatUsd(amountUsd)} of credit was taken from the balance. See the account's payments`,
      action: { label: "Open billing", path: "/billing" },
      terms: "If you did not dispute it, ask your bank. The credit returns when the dispute is won.",
    }),
  },
}
