import { publicId } from "@/lib/server/platform/ids"
import { ACCESS_NOTICES, type AccessFacts } from "./access-notices"
import { AUTO_TOPUP_NOTICES, type AutoTopupFacts } from "./auto-topup-notices"
import { BILLING_NOTICES, type BillingFacts } from "./billing-notices"
import { BUDGET_NOTICES, type BudgetFacts } from "./budget-notices"
import { KEY_NOTICES, type KeyFacts } from "./key-notices"
import { MEMBER_NOTICES, type MemberFacts } from "./member-notices"
import { MODEL_NOTICES, type ModelFacts } from "./model-notices"
import type { Notice, Notices } from "./notice"
import { OUTCOME_NOTICES, type OutcomeFacts } from "./outcome-notices"
import { PASSKEY_NOTICES, type PasskeyFacts } from "./passkey-notices"
import type { MailParts } from "./render-mail"
import { USAGE_NOTICES, type UsageFacts } from "./usage-notices"

/** What each kind of mail reports. */
export interface NoticeFacts
  extends AccessFacts,
    AutoTopupFacts,
    BillingFacts,
    BudgetFacts,
    KeyFacts,
    MemberFacts,
    ModelFacts,
    OutcomeFacts,
    PasskeyFacts,
    UsageFacts {}

export type NoticeKind = keyof NoticeFacts

export const NOTICES: Notices<NoticeFacts> = {
  ...BILLING_NOTICES,
  ...AUTO_TOPUP_NOTICES,
  ...KEY_NOTICES,
  ...BUDGET_NOTICES,
  ...ACCESS_NOTICES,
  ...MEMBER_NOTICES,
  ...MODEL_NOTICES,
  ...OUTCOME_NOTICES,
  ...PASSKEY_NOTICES,
  ...USAGE_NOTICES,
}

export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[]

/** A scheme, an IPv4 address, or a domain, whose last label is letters or Punycode. */
const LINK = /\/\/|^\w+:\S*\.|^\d+(?:\.\d+){3}|[.。．｡](?:xn--|\p{L}{2,}(?![\p{L}\p{N}-]))/iu
const ADDRESS = /^[^@/:?#]+@[^@/:?#]+$/

/** Replaces links in a subject, because members choose the names in it and mail programs make links of what looks like one. */
const withoutLinks = (subject: string): string =>
  subject.replace(/[^\s“”]+/g, (word) => (LINK.test(word) && !ADDRESS.test(word) ? "…" : word))

/** Returns why the reader gets the mail and whether they can turn it off. */
function footnote({ isSecurity, roles }: Pick<Notice<never>, "isSecurity" | "roles">, account: string | null): string {
  const of = account ? `the account “${account}”` : "the account"
  const why =
    roles.length > 0 ? `You get this mail as a member of ${of}.` : "You get this mail because it is about you."
  return isSecurity
    ? `${why} It is about safety, so it cannot be turned off.`
    : `${why} Change which e-mails you get on the page Alerts.`
}

/** Returns the parts of a mail. The title names the console. `account` is the account's name, or null. */
export function writeNotice<Kind extends NoticeKind>(
  kind: Kind,
  facts: NoticeFacts[Kind],
  { consoleUrl, account, accountId }: { consoleUrl: string; account: string | null; accountId: string },
): MailParts {
  const notice = NOTICES[kind]
  const { intro, action, terms, ...written } = notice.write(facts, account ? `“${account}”` : "the account")
  const subject = withoutLinks(written.subject)
  return {
    title: `${subject} · ${new URL(consoleUrl).host}`,
    heading: subject,
    intro,
    // A member of several accounts may be in another one when the mail is read.
    action: {
      label: action.label,
      link: `${consoleUrl}/open/${publicId("acc", accountId)}?${new URLSearchParams({ next: action.path })}`,
    },
    terms,
    footnote: footnote(notice, account),
  }
}
