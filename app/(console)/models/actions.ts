"use server"
import { z } from "zod"
import { userAction } from "@/lib/server/auth/user-action"
import { setStay } from "@/lib/server/models/alias-stays"
import { SetStayInput } from "@/lib/shared/models/stay"

export const setStayAction = userAction(SetStayInput, setStay)

const FieldText = z
  .string()
  .transform((text) => text.slice(0, 100_000))
  .catch("")

/**
 * The fields of the price calculator. `questions` has one text per line; an empty `model` means the first model. A field that is
 * missing becomes empty, and a longer one its first 100,000 characters.
 */
const CalculatorInput = z.object({ model: FieldText, state: FieldText, questions: FieldText })
type CalculatorInput = z.infer<typeof CalculatorInput>

/** Returns the calculator's form as sent, so that the page works without JavaScript. Stores nothing. */
export async function echoInput(_before: CalculatorInput, form: FormData): Promise<CalculatorInput> {
  // A client may call an action with any argument.
  return CalculatorInput.parse(form instanceof FormData ? Object.fromEntries(form) : {})
}
