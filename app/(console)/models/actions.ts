"use server"
import { CalculatorInput } from "@/lib/shared/models/estimate-cost"

/** Without a script the calculator's form comes back as it was sent; the page then draws it with its result. Keeps nothing. */
export async function keepTyped(_before: CalculatorInput, form: FormData): Promise<CalculatorInput> {
  // Anybody may call an action with anything.
  return CalculatorInput.parse(form instanceof FormData ? Object.fromEntries(form) : {})
}
