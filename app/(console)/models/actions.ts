"use server"
import { CalculatorInput } from "@/lib/shared/models/estimate-cost"

/** Returns the calculator's form as sent, so that the page works without JavaScript. Stores nothing. */
export async function echoInput(_before: CalculatorInput, form: FormData): Promise<CalculatorInput> {
  // A client may call an action with any argument.
  return CalculatorInput.parse(form instanceof FormData ? Object.fromEntries(form) : {})
}
