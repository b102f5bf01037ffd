import type { Right } from "@/lib/shared/accounts/roles"

/** The rights that an operator's token can have: those that a route of the admin API needs. Each with what it allows. */
export const OPERATOR_SCOPE_WORDS = {
  "service.read": "Read accounts, payments, models, mails and the audit log",
  "service.finance": "Credit and debit accounts, refund payments and set allowances",
  "service.operate": "Create, limit, suspend and close accounts, and change models",
  "keys.read": "List the keys of every account",
  "keys.manage": "Create, replace, restrict and revoke keys of every account",
} as const satisfies Partial<Record<Right, string>>

export const OPERATOR_SCOPES = Object.keys(OPERATOR_SCOPE_WORDS) as (keyof typeof OPERATOR_SCOPE_WORDS)[]
