"use server"
import { userAction } from "@/lib/server/auth/user-action"
import { endOutcomeAlarms, setOutcomeAlarms } from "@/lib/server/outcomes/outcome-alarms"
import { OutcomeQuestion, SetAlarmsInput } from "@/lib/server/outcomes/schema"
import { uploadOutcomes } from "@/lib/server/outcomes/upload-outcomes"
import { OutcomeRequest } from "@/lib/shared/outcomes/outcome-request"

export const setOutcomeAlarmsAction = userAction(SetAlarmsInput, setOutcomeAlarms)
export const endOutcomeAlarmsAction = userAction(OutcomeQuestion, endOutcomeAlarms)
export const uploadOutcomesAction = userAction(OutcomeRequest, uploadOutcomes)
