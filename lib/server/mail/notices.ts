import type { Role } from "@/lib/shared/accounts/roles"
import { formatExactUsd, formatUsd } from "@/lib/shared/format"
import type { MailParts } from "./render-mail"

interface KeyFacts {
  /** `key_…` */
  keyId: string
  /** Looked up when the mail is sent. */
  keyName: string
}

/** What each kind of mail reports. Money is exact USD text. */
export interface NoticeFacts {
  balance_low: { balanceUsd: string; thresholdUsd: string }
  balance_negative: { balanceUsd: string }
  key_near_limit: KeyFacts & { limitUsd: string; period: "daily" | "lifetime" }
  key_limit_reached: KeyFacts & { limitUsd: string; period: "daily" | "lifetime" }
  key_created: KeyFacts
  topup_paid: { amountUsd: string; balanceUsd: string }
  topup_refunded: { amountUsd: string }
  topup_disputed: { amountUsd: string }
}

export type NoticeKind = keyof NoticeFacts

interface Notice<Facts> {
  /** As the settings name it. */
  label: string
  /** A member cannot turn off mails about the safety of the account. */
  isSecurity: boolean
  /** Members with any of these roles receive it. */
  roles: readonly Role[]
  /** Returns the subject and the parts, with a path of the console as the link. */
  write(facts: Facts): { subject: string; intro: string; action: { label: string; path: string }; terms: string }
}

const PAYERS: readonly Role[] = ["owner", "billing"]
const KEEPERS: readonly Role[] = ["owner", "developer"]

const again = (period: "daily" | "lifetime"): string =>
  period === "daily"
    ? "It works again at 00:00 UTC."
    : "A lifetime limit never resets: create another key before you retire this one."

export const NOTICES: { [Kind in NoticeKind]: Notice<NoticeFacts[Kind]> } = {
  balance_low: {
    label: "The balance is low",
    isSecurity: false,
    roles: PAYERS,
    write: ({ balanceUsd, thresholdUsd }) => ({
      subject: `Low balance: ${formatUsd(balanceUsd)} left`,
      intro: `The balance has fallen to ${formatExactUsd(balanceUsd)}, which is at or below your warning of ${formatExactUsd(thresholdUsd)}. Requests are refused once it is used up. Add credit`,
      action: { label: "Add credit", path: "/billing/top-up" },
      terms: "You get this mail once. The next one comes after the balance has been above the warning again.",
    }),
  },
  balance_negative: {
    label: "The balance is below zero",
    isSecurity: false,
    roles: PAYERS,
    write: ({ balanceUsd }) => ({
      subject: `Requests are refused: the balance is ${formatUsd(balanceUsd)}`,
      intro: `The balance is ${formatExactUsd(balanceUsd)}, so requests of this account are refused. See why, and add credit`,
      action: { label: "Open billing", path: "/billing" },
      terms: "Requests work again as soon as the balance is above zero.",
    }),
  },
  key_near_limit: {
    label: "A key has spent 80 % of its limit",
    isSecurity: false,
    roles: KEEPERS,
    write: ({ keyId, keyName, limitUsd, period }) => ({
      subject: `The key “${keyName}” has spent 80 % of its limit`,
      intro: `The key “${keyName}” has spent 80 % of its ${period} limit of ${formatExactUsd(limitUsd)}. See what it spends`,
      action: { label: "Open the key", path: `/keys/${keyId}` },
      terms: `At its limit, its requests are refused. ${again(period)}`,
    }),
  },
  key_limit_reached: {
    label: "A key has reached its limit",
    isSecurity: false,
    roles: KEEPERS,
    write: ({ keyId, keyName, limitUsd, period }) => ({
      subject: `The key “${keyName}” has reached its limit`,
      intro: `The key “${keyName}” has spent its ${period} limit of ${formatExactUsd(limitUsd)}, so its requests are refused. See what it spent`,
      action: { label: "Open the key", path: `/keys/${keyId}` },
      terms: again(period),
    }),
  },
  key_created: {
    label: "A key was created",
    isSecurity: true,
    roles: KEEPERS,
    write: ({ keyId, keyName }) => ({
      subject: `A key was created: “${keyName}”`,
      intro: `The API key “${keyName}” was created in your account. If no member created it, revoke it`,
      action: { label: "Open the key", path: `/keys/${keyId}` },
      terms: "The key can spend the account's balance, up to its limit.",
    }),
  },
  topup_paid: {
    label: "Credit was added",
    isSecurity: false,
    roles: PAYERS,
    write: ({ amountUsd, balanceUsd }) => ({
      subject: `${formatUsd(amountUsd)} of credit added`,
      intro: `Your payment has arrived: ${formatUsd(amountUsd)} of credit was added, and the balance is ${formatExactUsd(balanceUsd)}. Open billing for the receipt`,
      action: { label: "Open billing", path: "/billing" },
      terms: "The receipt is listed with the payment.",
    }),
  },
  topup_refunded: {
    label: "A payment was refunded",
    isSecurity: false,
    roles: PAYERS,
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
    write: ({ amountUsd }) => ({
      subject: `A payment of ${formatUsd(amountUsd)} was disputed`,
      intro: `The holder of a card disputed a payment, so ${formatUsd(amountUsd)} of credit was taken from the balance. See the account's payments`,
      action: { label: "Open billing", path: "/billing" },
      terms: "If you did not dispute it, ask your bank. The credit returns when the dispute is won.",
    }),
  },
}

export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[]

const FOOTNOTE = "You get this mail as a member of the account. Choose your mails under Settings."
const SECURITY_FOOTNOTE =
  "You get this mail as a member of the account. It is about its safety, so it cannot be turned off."

/** Returns the subject and the parts of a mail. `host` names the console in the subject. */
export function writeNotice<Kind extends NoticeKind>(
  kind: Kind,
  facts: NoticeFacts[Kind],
  consoleUrl: string,
): { subject: string; parts: MailParts } {
  const { isSecurity, write } = NOTICES[kind]
  const { subject, intro, action, terms } = write(facts)
  const { host } = new URL(consoleUrl)
  const title = `${subject} · ${host}`
  return {
    subject: title,
    parts: {
      title,
      intro,
      action: { label: action.label, link: `${consoleUrl}${action.path}` },
      terms,
      footnote: isSecurity ? SECURITY_FOOTNOTE : FOOTNOTE,
    },
  }
}
