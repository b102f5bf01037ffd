import type { AuditLine } from "./schema"

/** What one line of the log says, in words. */
export function describeAudit({ action, keyName, detail }: AuditLine): string {
  const key = keyName === null ? "a key" : `the key “${keyName}”`
  switch (action) {
    case "account.create":
      return "Created the account"
    case "account.credit":
      return "Added credit"
    case "account.debit":
      return "Took credit off"
    case "account.limits":
      return "Changed the rate limits"
    case "session.create":
      return detail ? `Signed in, ${detail}` : "Signed in"
    case "session.end":
      return "Ended a session"
    case "key.create":
      return `Created ${key}`
    case "key.revoke":
      return `Revoked ${key}`
    case "topup.start":
      return "Started a top-up"
    case "topup.paid":
      return "Added the credit of a paid top-up"
    case "topup.adjust":
      return detail === "dispute" ? "Settled a dispute with the balance" : "Settled a refund with the balance"
    case "topup.refund":
      return "Refunded a top-up"
    default:
      return action
  }
}
