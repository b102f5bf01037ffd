"use server"
import { requestConfirmation } from "@/lib/server/auth/confirmation"
import { confirmByPasskey, startPasskeyConfirmation } from "@/lib/server/auth/passkeys/confirm-by-passkey"
import { userAction } from "@/lib/server/auth/user-action"
import { ConfirmByPasskeyInput, StartConfirmationInput } from "@/lib/shared/auth/passkeys"
import { RequestConfirmationInput } from "@/lib/shared/auth/schema"

export const requestConfirmationAction = userAction(RequestConfirmationInput, requestConfirmation)
export const startPasskeyConfirmationAction = userAction(StartConfirmationInput, startPasskeyConfirmation)
export const confirmByPasskeyAction = userAction(ConfirmByPasskeyInput, confirmByPasskey)
