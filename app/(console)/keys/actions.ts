"use server"
import { userAction } from "@/lib/server/auth/user-action"
import { changeKey, pauseKey, resumeKey } from "@/lib/server/keys/change-key"
import { createKey } from "@/lib/server/keys/create-key"
import { endOldSecret, replaceKey } from "@/lib/server/keys/replace-key"
import { restrictKey } from "@/lib/server/keys/restrictions"
import { revokeKeys } from "@/lib/server/keys/revoke-key"
import { RestrictKeyInput } from "@/lib/shared/keys/restrictions"
import { ChangeKeyInput, CreateKeyInput, KeyInput, KeysInput, ReplaceKeyInput } from "@/lib/shared/keys/schema"

export const createKeyAction = userAction(CreateKeyInput, createKey)
export const changeKeyAction = userAction(ChangeKeyInput, changeKey)
export const pauseKeyAction = userAction(KeyInput, pauseKey)
export const resumeKeyAction = userAction(KeyInput, resumeKey)
export const replaceKeyAction = userAction(ReplaceKeyInput, replaceKey)
export const endOldSecretAction = userAction(KeyInput, endOldSecret)
export const restrictKeyAction = userAction(RestrictKeyInput, restrictKey)
export const revokeKeysAction = userAction(KeysInput, revokeKeys)
