"use server"
import { userAction } from "@/lib/auth/user-action"
import { MarkFirstStepsInput, markFirstSteps } from "@/lib/first-steps/mark-first-steps"

export const markFirstStepsAction = userAction(MarkFirstStepsInput, markFirstSteps)
