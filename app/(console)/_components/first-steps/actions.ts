"use server"
import { MarkFirstStepsInput, markFirstSteps } from "@/lib/server/accounts/first-steps"
import { userAction } from "@/lib/server/auth/user-action"

/** Stores that the member read an answer, hid the list of first steps, or showed it again. */
export const markFirstStepsAction = userAction(MarkFirstStepsInput, markFirstSteps)
