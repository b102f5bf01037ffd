"use server"
import { userAction } from "@/lib/auth/user-action"
import { checkTopup } from "@/lib/billing/check-topup"
import { StartTopupInput, TopupInput } from "@/lib/billing/schema"
import { startTopup } from "@/lib/billing/start-topup"

export const startTopupAction = userAction(StartTopupInput, startTopup)
export const checkTopupAction = userAction(TopupInput, checkTopup)
