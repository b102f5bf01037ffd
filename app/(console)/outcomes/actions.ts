"use server"
import { userAction } from "@/lib/server/auth/user-action"
import { endOutcomeAlarms, setOutcomeAlarms } from "@/lib/server/outcomes/outcome-alarms"
import { OutcomeQuestion, SetAlarmsInput } from "@/lib/server/outcomes/schema"

export const setOutcomeAlarmsAction = userAction(SetAlarmsInput, setOutcomeAlarms)
export const endOutcomeAlarmsAction = userAction(OutcomeQuestion, endOutcomeAlarms)
