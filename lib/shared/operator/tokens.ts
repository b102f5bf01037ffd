import { z } from "zod"
import { Expiry } from "@/lib/shared/keys/schema"
import { Name } from "@/lib/shared/plain-line"
import { OPERATOR_SCOPES } from "./operator-scopes"

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
