import { z } from "zod"
import { EmailAddress } from "@/lib/shared/auth/schema"
import { type Pico, parsePricePerMillion, parseUsd, toCents } from "@/lib/shared/money"
import { plainLine } from "@/lib/shared/plain-line"
import { CEILINGS } from "@/questions/limits"

/** An operator's reason for a change. */
export const Note = plainLine(200, "Enter a note.").min(1, "Enter a note.")

/** The operator's own id of a credit or debit, such as that of a ticket or an invoice. */
export const Reference = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._:/#-]{1,64}$/, "Use 1 to 64 letters, digits and . _ : / # - as a reference.")

/** An amount above zero in USD. */
export const AmountUsd = z.string().transform((text, context): Pico => {
  const amount = parseUsd(text.trim())
  if (amount !== null && amount > 0n) return amount
  context.addIssue({ code: "custom", message: "Use an amount above zero in USD, such as 5 or 0.50." })
  return z.NEVER
})

/** The accounts of a file are locked together, which delays their charges. */
export const MAX_CREDIT_LINES = 1_000

const MAX_CENTS = 99_999_999

/** An amount above zero in USD and whole cents, as cents. */
export const Cents = AmountUsd.transform((amount, context): number => {
  const cents = toCents(amount)
  if (cents !== null && cents <= MAX_CENTS) return cents
  context.addIssue({ code: "custom", message: "Use an amount in USD and whole cents, such as 5 or 0.50." })
  return z.NEVER
})

// The largest price that the database accepts, in USD per million tokens.
const MAX_PRICE_USD = "100000"

/** A price in USD per million input tokens, with at most six decimals, as pico-USD per token. */
export const PricePerMillion = z.string().transform((text, context): Pico => {
  const price = parsePricePerMillion(text.trim())
  const max = parsePricePerMillion(MAX_PRICE_USD)
  if (price !== null && max !== null && price <= max) return price
  const message = `Use a price in USD per million tokens from 0 to ${MAX_PRICE_USD}, with at most six decimals.`
  context.addIssue({ code: "custom", message })
  return z.NEVER
})

const whole = (max: number) => {
  const message = `Use a whole number from 1 to ${max}.`
  return z
    .string()
    .trim()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, message)
}

export const MAX_REQUESTS_PER_SECOND = 1_000_000

/** An account by its public id, `acc_…`. */
const OfAccount = z.strictObject({ accountId: z.string().max(40) })

/** `attempt` is created with the form, so that a form submitted twice posts one entry. An empty `reference` is none. */
export const AdjustBalanceForm = OfAccount.extend({
  kind: z.enum(["credit", "debit"]),
  reference: z.union([z.literal("").transform(() => null), Reference]),
  attempt: z.uuid(),
  amountUsd: AmountUsd,
  note: Note,
})

/** Lines of a file of credits. `account` is named as commands take it. */
export const CreditLinesForm = z.strictObject({
  lines: z
    .array(
      z.strictObject({
        line: z.int().min(1),
        account: z.string().trim().min(1).max(254),
        amountUsd: AmountUsd,
        reference: Reference,
        note: Note,
      }),
    )
    .max(MAX_CREDIT_LINES),
})

export const AccountRatesForm = OfAccount.extend({
  perSecond: whole(MAX_REQUESTS_PER_SECOND),
  perKey: whole(MAX_REQUESTS_PER_SECOND),
})

export const AccountStatusForm = OfAccount.extend({ status: z.enum(["active", "suspended", "closed"]) })

/** An act for the person who signs in with an address. */
export const ActForPersonForm = z.strictObject({ email: EmailAddress, note: Note })

export const OneModel = z.strictObject({ id: z.string().max(200) })

/** The id of a new pinned model. */
export const NewModelId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,127}$/, "Use lower-case letters, digits, '.', '_' and '-' in a model id.")

/** What clients of another API call a model. */
export const ClientModelName = z
  .string()
  .regex(/^[A-Za-z0-9._~/:-]{1,128}$/, "Use 1 to 128 letters, digits, '.', '_', '~', '/', ':' and '-' in a name.")

export const ModelPriceForm = OneModel.extend({ priceUsd: PricePerMillion })

export const ModelLimitsForm = OneModel.extend({
  maxQuestions: whole(CEILINGS.questions),
  maxOptions: whole(CEILINGS.options),
  maxLevels: whole(CEILINGS.levels),
  maxBodyBytes: whole(CEILINGS.bodyBytes),
})

/** A UTC day such as 2026-12-01. */
export const UtcDay = z.iso.date("Enter a day such as 2026-12-01.")

/** A share above 0% such as 5% or 0.1, as a number up to 1. */
export const SharePercent = z.string().transform((text, context): number => {
  const share = Number(/^(\d{1,3}(?:\.\d{1,4})?) ?%?$/.exec(text.trim())?.[1]) / 100
  if (share > 0 && share <= 1) return share
  context.addIssue({ code: "custom", message: "Use a share above 0% and up to 100%, such as 5%." })
  return z.NEVER
})

/** How many days before a planned move the mails go out. */
export const DEFAULT_NOTICE_DAYS = 14
export const MAX_NOTICE_DAYS = 365

export const PlanMoveForm = OneModel.extend({ on: UtcDay, noticeDays: whole(MAX_NOTICE_DAYS) })

export const OneMail = z.strictObject({ id: z.uuid() })
export type OneMail = z.output<typeof OneMail>

/** `replacementId` is empty for none. */
export const RetireModelForm = OneModel.extend({ replacementId: z.string().max(200) })

/** A top-up by its public id, `top_…`. */
export const OneTopup = z.strictObject({ id: z.string().max(40) })

/** An empty `amountUsd` refunds all that is left. */
export const RefundForm = OneTopup.extend({
  amountUsd: z.union([z.literal("").transform(() => null), Cents]),
  note: Note,
})

export const SettleTopupForm = OneTopup.extend({ amountUsd: Cents, note: Note })

export const EndTopupForm = OneTopup.extend({ note: Note })

export const Nothing = z.strictObject({})
