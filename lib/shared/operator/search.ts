import { z } from "zod"

/** `negative`: accounts with a balance below zero. */
export const AccountFilter = z.enum(["all", "active", "suspended", "closed", "negative"])
export type AccountFilter = z.output<typeof AccountFilter>

/** `waiting`: top-ups that have not ended. `attention`: completed checkouts that the operator has to settle or end. */
export const TopupFilter = z.enum(["all", "waiting", "attention", "paid", "refunded", "disputed", "failed"])
export type TopupFilter = z.output<typeof TopupFilter>

export const AuditFilter = z.enum(["all", "operator", "accounts", "keys", "billing", "models", "sign-ins"])
export type AuditFilter = z.output<typeof AuditFilter>

const Cursor = z
  .string()
  .regex(/^[0-9a-z_.-]{1,80}$/)
  .nullable()
  .default(null)
  .catch(null)

const Text = z
  .string()
  .transform((text) => text.trim().slice(0, 254))
  .default("")
  .catch("")

/** The `next` of a page of the audit log: the id of its last row. */
export const AuditCursor = z.string().regex(/^\d{1,18}$/, "Use the `next` of the page before.")

// The state of each list is the query of its address. Invalid values fall back to the defaults.

export const AccountsView = z.object({ q: Text, show: AccountFilter.default("all").catch("all"), after: Cursor })
export type AccountsView = z.output<typeof AccountsView>

export const MailView = z.object({ account: Text })

export const PeopleView = z.object({ email: Text })

export const PaymentsView = z.object({ account: Text, show: TopupFilter.default("all").catch("all"), after: Cursor })
export type PaymentsView = z.output<typeof PaymentsView>

export const AuditView = z.object({
  account: Text,
  show: AuditFilter.default("all").catch("all"),
  after: AuditCursor.nullable().default(null).catch(null),
})
export type AuditView = z.output<typeof AuditView>
