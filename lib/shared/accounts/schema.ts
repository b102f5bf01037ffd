import { z } from "zod"
import { Name } from "@/lib/shared/keys/schema"

export const CreateTokenInput = z.strictObject({ name: Name })
export type CreateTokenInput = z.output<typeof CreateTokenInput>

/** A token by its public id, `tok_…`. */
export const RevokeTokenInput = z.strictObject({ id: z.string() })
export type RevokeTokenInput = z.output<typeof RevokeTokenInput>

/** A token with which programs read an account, without its secret. Times are ISO text. */
export interface AccountToken {
  /** `tok_…` */
  id: string
  name: string
  /** `svct_AbCd…wXyZ` */
  masked: string
  createdAt: string
  /** To the minute. */
  lastUsedAt: string | null
}

/** The result of a creation, the only time that the secret is shown. */
export interface CreatedAccountToken {
  id: string
  name: string
  token: string
}
