"use server"
import { userAction } from "@/lib/server/auth/user-action"
import { cancelTopup } from "@/lib/server/billing/cancel-topup"
import { checkTopup } from "@/lib/server/billing/check-topup"
import { startTopup } from "@/lib/server/billing/start-topup"
import { StartTopupInput, TopupInput } from "@/lib/shared/billing/schema"

export const startTopupAction = userAction(StartTopupInput, startTopup)
export const cancelTopupAction = userAction(TopupInput, cancelTopup)
export const checkTopupAction = userAction(TopupInput, checkTopup)
