"use server"
import { addPasskey, startPasskey } from "@/lib/server/auth/passkeys/add-passkey"
import { removePasskey, renamePasskey } from "@/lib/server/auth/passkeys/own-passkeys"
import { userAction } from "@/lib/server/auth/user-action"
import { AddPasskeyInput, OnePasskey, RenamePasskeyInput, StartPasskeyInput } from "@/lib/shared/auth/passkeys"

export const startPasskeyAction = userAction(StartPasskeyInput, startPasskey)
export const addPasskeyAction = userAction(AddPasskeyInput, addPasskey)
export const renamePasskeyAction = userAction(RenamePasskeyInput, renamePasskey)
export const removePasskeyAction = userAction(OnePasskey, removePasskey)
