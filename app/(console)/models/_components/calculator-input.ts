import { z } from "zod"

const text = z.string().max(100_000).catch("")

/** What the price calculator asks for; the model is an id, or empty for the first. */
export const CalculatorInput = z.object({ model: text, state: text, questions: text })
export type CalculatorInput = z.infer<typeof CalculatorInput>
