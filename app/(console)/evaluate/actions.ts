"use server"
import { userAction } from "@/lib/server/auth/user-action"
import { signRecord } from "@/lib/server/signing/sign-record"
import { SignRecordInput } from "@/lib/shared/evaluate/export/record-signature"

export const signRecordAction = userAction(SignRecordInput, signRecord)
