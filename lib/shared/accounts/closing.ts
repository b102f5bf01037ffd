import { z } from "zod"
import { EmailAddress } from "@/lib/shared/auth/schema"

/** Closing needs the account's name, as the console shows it. */
export const CloseAccountInput = z.strictObject({
  name: z.string({ error: "Type the account's name." }).trim().max(320),
})
export type CloseAccountInput = z.output<typeof CloseAccountInput>

/** Deleting a user needs the user's own address. */
export const DeleteUserInput = z.strictObject({ email: EmailAddress })
export type DeleteUserInput = z.output<typeof DeleteUserInput>

/** An account that has no other owner than the user. */
export interface OwnedAccount {
  /** `acc_…` */
  id: string
  name: string
  /** Exact. */
  balanceUsd: string
  /** How many other members it has. */
  others: number
}

export const ChangeEmailInput = z.strictObject({ email: EmailAddress })
export type ChangeEmailInput = z.output<typeof ChangeEmailInput>

export const ExportInput = z.strictObject({})

export const CancelEmailInput = z.strictObject({})

/** A change of address that waits for confirmations. */
export interface PendingEmail {
  email: string
  isOldConfirmed: boolean
  isNewConfirmed: boolean
  /** ISO text. */
  expiresAt: string
}
