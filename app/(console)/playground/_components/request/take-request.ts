import type { UseFormReturn } from "react-hook-form"
import { type CheckedRequest, checkRequest } from "@/lib/shared/decisions/check-request"
import { checkForm } from "@/lib/shared/playground/check-form"
import { faultOfRequest } from "@/lib/shared/playground/find-fault"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import type { ShapeLimits } from "@/questions/limits"
import type { Settled } from "./settled"
import { focusField, type useVerdict } from "./use-verdict"
import type { Views } from "./use-views"

/** A request that the API's check has let pass. */
export interface TakenRequest {
  requestText: string
  request: CheckedRequest
  keyId: string
}

interface TakeInput {
  form: UseFormReturn<PlaygroundForm>
  views: Views
  verdict: ReturnType<typeof useVerdict>
  limits: ShapeLimits
  settled: Settled
}

function takeJson({ form, views, limits }: TakeInput): TakenRequest | null {
  const requestText = views.requestText()
  const checked = checkRequest(new TextEncoder().encode(requestText))
  if (checked.ok && !faultOfRequest(requestText, limits))
    return { requestText, request: checked.request, keyId: form.getValues("keyId") }
  views.findFault(limits)
  focusField("json")
  return null
}

function takeForm({ form, verdict, limits }: TakeInput): TakenRequest | null {
  const values = form.getValues()
  const checked = checkForm(values, limits)
  if (!checked.ok) {
    verdict.showAll()
    focusField(checked.verdicts[0].field)
    return null
  }
  verdict.clear()
  return { requestText: checked.requestText, request: checked.request, keyId: values.keyId }
}

/** The request as it is run, in whichever view it stands, or null once the first fault has the focus. */
export function takeRequest(input: TakeInput): TakenRequest | null {
  input.settled.flush()
  return input.views.view === "json" ? takeJson(input) : takeForm(input)
}
