"use server"
import { userAction } from "@/lib/auth/user-action"
import { createKey } from "@/lib/keys/create-key"
import { revokeKey } from "@/lib/keys/revoke-key"
import { CreateKeyInput, RevokeKeyInput } from "@/lib/keys/schema"

export const createKeyAction = userAction(CreateKeyInput, createKey)
export const revokeKeyAction = userAction(RevokeKeyInput, revokeKey)
