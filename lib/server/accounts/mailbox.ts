/** Providers that ignore the dots before the `@`, and under which name a mailbox has all its addresses. */
const GOOGLE = ["gmail.com", "googlemail.com"] as const

/**
 * Returns the address that stands for a mailbox: without what follows a `+`, and for Google's without dots. Only for counting a mailbox
 * once, never for mails or sign-in: another provider may deliver these addresses to different people.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf("@")
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
  // A name cannot be empty, so a `+` at its start belongs to it.
  const tag = local.indexOf("+", 1)
  const name = tag === -1 ? local : local.slice(0, tag)
  return GOOGLE.some((one) => one === domain) ? `${name.replaceAll(".", "")}@${GOOGLE[0]}` : `${name}@${domain}`
}

const WITHOUT_TAG = (email: string) => `regexp_replace(${email}, '^([^@][^@+]*)[+][^@]*@', '\\1@')`

/** SQL. Returns what `mailboxOf` returns. The index `app_user_mailbox` of users that were not erased has the same expression. */
export const MAILBOX = (email: string): string =>
  `(CASE WHEN split_part(${email}, '@', 2) IN ('${GOOGLE.join("', '")}')
    THEN replace(split_part(${WITHOUT_TAG(email)}, '@', 1), '.', '') || '@${GOOGLE[0]}' ELSE ${WITHOUT_TAG(email)} END)`
