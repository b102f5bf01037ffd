import { createHash } from "node:crypto"
import { checkForm } from "@/lib/shared/request-form/check-form"
import { type Example, exampleForm } from "@/lib/shared/request-form/examples"

/** Returns the request of an example for a model, as text and checked. */
export function requestOfExample(example: Example, model: string) {
  const checked = checkForm(exampleForm(model, example))
  if (!checked.ok) throw new Error(checked.errors[0].message)
  return checked
}

/** Returns the SHA-256 of an example's request, whatever its model. */
export const hashExample = (example: Example): Buffer =>
  createHash("sha256").update(requestOfExample(example, "any").requestText).digest()
