"use server"
import { operatorAction } from "@/lib/server/auth/user-action"
import { endPersonSessions, erasePerson, removePerson } from "@/lib/server/closing/act-for-person"
import { exportPerson } from "@/lib/server/closing/export-person"
import { ActForPersonForm } from "@/lib/shared/operator/forms"

export const endPersonSessionsAction = operatorAction(ActForPersonForm, endPersonSessions)

export const removePersonAction = operatorAction(ActForPersonForm, removePerson)

/** Returns the data as the text of a file. */
export const exportPersonAction = operatorAction(ActForPersonForm, async (runtime, operator, input) =>
  JSON.stringify(await exportPerson(runtime, operator, input), null, 2),
)

export const erasePersonAction = operatorAction(ActForPersonForm, erasePerson)
