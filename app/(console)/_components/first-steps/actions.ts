"use server"
import { MarkFirstStepsInput, markFirstSteps } from "@/lib/server/accounts/first-steps"
import { userAction } from "@/lib/server/auth/user-action"

/** Stores what this member did with the list of first steps: read an answer, or hid or showed the list. */
export const markFirstStepsAction = userAction(MarkFirstStepsInput, markFirstSteps)
