"use server"
import { MarkFirstStepsInput, markFirstSteps } from "@/lib/server/accounts/first-steps"
import { userAction } from "@/lib/server/auth/user-action"

export const markFirstStepsAction = userAction(MarkFirstStepsInput, markFirstSteps)
