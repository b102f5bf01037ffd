"use server"
import { userAction } from "@/lib/server/auth/user-action"
import { checkTopup } from "@/lib/server/billing/check-topup"
import { startTopup } from "@/lib/server/billing/start-topup"
import { StartTopupInput, TopupInput } from "@/lib/shared/billing/schema"

export const startTopupAction = userAction(StartTopupInput, startTopup)
export const checkTopupAction = userAction(TopupInput, checkTopup)
