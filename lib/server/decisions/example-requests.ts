import { createHash } from "node:crypto"
import { checkForm } from "@/lib/shared/request-form/check-form"
import { EXAMPLES, type Example, exampleForm } from "@/lib/shared/request-form/examples"

/** Returns the request of an example for a model, as text and checked. */
export function requestOfExample(example: Example, model: string) {
  const checked = checkForm(exampleForm(model, example))
  if (!checked.ok) throw new Error(checked.errors[0].message)
  return checked
}

const hashExample = (example: Example): Buffer =>
  createHash("sha256").update(requestOfExample(example, "any").requestText).digest()

/** The SHA-256 of each example's request by its id, whatever the model. */
export const EXAMPLE_HASHES: ReadonlyMap<string, Buffer> = new Map(
  EXAMPLES.map((example) => [example.id, hashExample(example)]),
)
