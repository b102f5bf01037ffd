import { z } from "zod"
import type { Right } from "@/lib/shared/accounts/roles"
import { Expiry } from "@/lib/shared/keys/schema"
import { Name } from "@/lib/shared/plain-line"

/** The rights that an operator's token can have: those that a route of the admin API needs. Each with what it allows. */
export const OPERATOR_SCOPE_WORDS = {
  "service.read": "Read accounts, payments, models, mails and the audit log",
  "service.finance": "Credit and debit accounts, refund payments and set allowances",
  "service.operate": "Create, limit, suspend and close accounts, and change models",
  "keys.read": "List the keys of every account",
  "keys.manage": "Create, replace, restrict and revoke keys of every account",
} as const satisfies Partial<Record<Right, string>>

export const OPERATOR_SCOPES = Object.keys(OPERATOR_SCOPE_WORDS) as (keyof typeof OPERATOR_SCOPE_WORDS)[]

/** The settings of a new operator's token. A null `expiresAt`: it never expires. None can be changed later. */
export const CreateOperatorTokenInput = z.strictObject({
  name: Name,
  rights: z
    .array(z.enum(OPERATOR_SCOPES, { error: "Choose scopes from the list." }))
    .min(1, "Choose at least one scope.")
    .transform((rights) => [...new Set(rights)]),
  expiresAt: Expiry.nullable(),
})
export type CreateOperatorTokenInput = z.output<typeof CreateOperatorTokenInput>

/** An operator's token by its public id, `opt_…`. */
export const OneOperatorToken = z.strictObject({ id: z.string().max(40) })

/** A token with which a program operates the service. Does not include the secret. Times are ISO text. */
export interface OperatorToken {
  /** `opt_…` */
  id: string
  name: string
  /** `svca_AbCd…wXyZ` */
  masked: string
  rights: string[]
  createdAt: string
  /** The address of the operator who created it; null for the command line. */
  createdBy: string | null
  /** Null: never. */
  expiresAt: string | null
  /** Why it is refused; "active" while it is not. */
  status: "active" | "expired" | "ended"
  /** To the minute. */
  lastUsedAt: string | null
}
