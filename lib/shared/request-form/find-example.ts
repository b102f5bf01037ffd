import { EXAMPLES, type Example, exampleForm } from "./examples"
import type { RequestForm } from "./request-form"
import { writeRequest } from "./write-request"

/** Returns the example that a form still is, whatever its model and key. Null for another form. */
export function findExample(form: RequestForm): Example | null {
  const text = writeRequest(form)
  return EXAMPLES.find((example) => writeRequest(exampleForm(form.model, example)) === text) ?? null
}
