"use server"
import { userAction } from "@/lib/server/auth/user-action"
import { createKey } from "@/lib/server/keys/create-key"
import { revokeKeys } from "@/lib/server/keys/revoke-key"
import { CreateKeyInput, KeysInput } from "@/lib/shared/keys/schema"

export const createKeyAction = userAction(CreateKeyInput, createKey)
export const revokeKeysAction = userAction(KeysInput, revokeKeys)
