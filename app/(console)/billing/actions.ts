"use server"
import { userAction, userRead } from "@/lib/server/auth/user-action"
import { turnOffAutoTopup, turnOnAutoTopup } from "@/lib/server/billing/auto-topup"
import { cancelTopup } from "@/lib/server/billing/cancel-topup"
import { checkTopup } from "@/lib/server/billing/check-topup"
import { startCardSession } from "@/lib/server/billing/save-card-session"
import { removeCard } from "@/lib/server/billing/saved-card"
import { startTopup } from "@/lib/server/billing/start-topup"
import { AutoTopupInput, NoInput } from "@/lib/shared/billing/auto-topup"
import { StartTopupInput, TopupInput } from "@/lib/shared/billing/schema"

export const startTopupAction = userAction(StartTopupInput, startTopup)
export const cancelTopupAction = userAction(TopupInput, cancelTopup)
export const checkTopupAction = userRead(TopupInput, checkTopup)
export const startCardSessionAction = userAction(NoInput, startCardSession)
export const removeCardAction = userAction(NoInput, removeCard)
export const turnOnAutoTopupAction = userAction(AutoTopupInput, turnOnAutoTopup)
export const turnOffAutoTopupAction = userAction(NoInput, turnOffAutoTopup)
