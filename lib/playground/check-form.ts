import type { CheckedRequest } from "../decisions/check"
import { checkRequest, refusedScan } from "../decisions/check-request"
import { scan } from "../json/scan"
import { fieldOfParam } from "./field-of-param"
import type { PlaygroundForm } from "./schema"
import { writeRequest } from "./write-request"

export type CheckedForm =
  | { ok: true; requestText: string; request: CheckedRequest }
  /** `field` as react-hook-form names fields. */
  | { ok: false; field: string; message: string }

const encoder = new TextEncoder()

/**
 * Why a JSON state is no single JSON value, in the API's words, or null. It is checked alone, so that it cannot end its own
 * field early.
 */
export function refusedState({ stateKind, state }: PlaygroundForm): string | null {
  if (stateKind === "text") return null
  const scanned = scan(encoder.encode(state))
  if (scanned.ok) return null
  const refused = refusedScan(scanned.fault, "state")
  return refused.ok ? null : refused.message.replace("The body", "The state")
}

/** The text of the request that the form stands for, or the verdict that the API would give on it. */
export function checkForm(form: PlaygroundForm): CheckedForm {
  const refused = refusedState(form)
  if (refused) return { ok: false, field: "state", message: refused }
  const requestText = writeRequest(form)
  const checked = checkRequest(encoder.encode(requestText))
  if (checked.ok) return { ok: true, requestText, request: checked.request }
  return { ok: false, field: fieldOfParam(form, checked.param) ?? "state", message: checked.message }
}
