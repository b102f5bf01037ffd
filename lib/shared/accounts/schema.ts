import { z } from "zod"
import { Expiry } from "@/lib/shared/keys/schema"
import { parseUsd } from "@/lib/shared/money"
import { Name } from "@/lib/shared/plain-line"
import type { Right } from "./roles"
import { TOKEN_SCOPE_NAMES } from "./token-scopes"

/** For how many days a new token works unless another day is chosen. */
export const TOKEN_DAYS = 90

const TokenScopes = z
  .array(z.enum(TOKEN_SCOPE_NAMES, { error: "Choose scopes from the list." }))
  .min(1, "Choose at least one scope.")
  .transform((scopes) => [...new Set(scopes)])

/** The settings of a new token. Null: it never expires. Without scopes, it has the lasting ones. None can be changed later. */
export const CreateTokenInput = z.strictObject({
  name: Name,
  expiresAt: Expiry.nullable(),
  rights: TokenScopes.optional(),
})
export type CreateTokenInput = z.output<typeof CreateTokenInput>

/** A token by its public id, `tok_…`. */
export const RevokeTokenInput = z.strictObject({ id: z.string() })
export type RevokeTokenInput = z.output<typeof RevokeTokenInput>

/** An account token, with which programs read or manage the account. Does not include the secret. Times are ISO text. */
export interface AccountToken {
  /** `tok_…` */
  id: string
  name: string
  /** `svct_AbCd…wXyZ` */
  masked: string
  /** What it may do now. Empty when its scopes ended with its creator's role. */
  rights: Right[]
  createdAt: string
  /** The address of the user who created it; null when that is unknown. */
  createdBy: string | null
  /** Null: never. */
  expiresAt: string | null
  isExpired: boolean
  /** To the minute. */
  lastUsedAt: string | null
}

/** The result of a creation, the only time that the secret is shown. */
export interface CreatedAccountToken {
  id: string
  name: string
  token: string
}

/** Which mails a member gets, and at which balance the account warns. */
export interface MailSettings {
  /** The mails that the member's role gets and that can be turned off. */
  mails: { kind: string; label: string; isWanted: boolean }[]
  /** `ownUsd` is the chosen balance, null for the default. `nowUsd` is the balance in effect. Null for a role without `billing.pay`. */
  warning: { ownUsd: string | null; nowUsd: string } | null
}

/** An amount in USD, or an empty text for the default. */
export const WarnAtInput = z.strictObject({
  amountUsd: z
    .string({ error: "Enter an amount in USD." })
    .trim()
    .refine((text) => text === "" || (parseUsd(text) ?? -1n) >= 0n, "Enter an amount in USD, such as 5 or 0.50."),
})
export type WarnAtInput = z.output<typeof WarnAtInput>
