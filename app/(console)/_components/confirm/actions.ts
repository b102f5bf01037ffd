"use server"
import { requestConfirmation } from "@/lib/server/auth/confirmation"
import { userAction } from "@/lib/server/auth/user-action"
import { RequestConfirmationInput } from "@/lib/shared/auth/schema"

export const requestConfirmationAction = userAction(RequestConfirmationInput, requestConfirmation)
