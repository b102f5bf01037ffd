import { z } from "zod"
import { plainLine } from "@/lib/shared/plain-line"

const MAX_LINES = 6
const Line = plainLine(80, "Enter an address.")

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** An address of at most six lines. It may be empty. */
const Address = z
  .string()
  .transform((text) => linesOf(text).join("\n"))
  .refine((text) => linesOf(text).length <= MAX_LINES, `Use at most ${MAX_LINES} lines.`)
  .refine(
    (text) => linesOf(text).every((line) => Line.safeParse(line).success),
    "Use letters, digits and punctuation only, at most 80 in a line.",
  )

/** Whom statements and invoices name. An empty text is not set. Stripe takes up to 140 characters of an id or a number. */
export const BillingDetails = z.strictObject({
  company: plainLine(100, "Enter a name."),
  address: Address,
  vatId: plainLine(40, "Enter a VAT id."),
  purchaseOrder: plainLine(60, "Enter a number."),
})
export type BillingDetails = z.output<typeof BillingDetails>

export const NO_DETAILS: BillingDetails = { company: "", address: "", vatId: "", purchaseOrder: "" }
