"use server"
import { userAction } from "@/lib/server/auth/user-action"
import { createKey } from "@/lib/server/keys/create-key"
import { revokeKey } from "@/lib/server/keys/revoke-key"
import { CreateKeyInput, KeyInput } from "@/lib/shared/keys/schema"

export const createKeyAction = userAction(CreateKeyInput, createKey)
export const revokeKeyAction = userAction(KeyInput, revokeKey)
