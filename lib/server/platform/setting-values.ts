import { existsSync } from "node:fs"
import path from "node:path"
import { z } from "zod"
import { GIVEN_ROLES, type GivenRole } from "@/lib/shared/accounts/roles"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { type Pico, parseUsd } from "@/lib/shared/money"
import { parseHubSource } from "./hub-source"
import { parsePublicId } from "./ids"

export const origin = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .transform((url) => url.replace(/\/+$/, ""))
export const withoutPath = origin.refine(
  (url) => new URL(url).pathname === "/" && !/[?#@]/.test(url),
  "must be an address without a path, such as https://decide.example.com",
)
export const usd = (what: string) =>
  z.string().transform((text, context): Pico => {
    const value = parseUsd(text)
    if (value !== null && value >= 0n) return value
    context.addIssue({ code: "custom", message: `must be ${what} in USD, such as 5 or 0.50` })
    return z.NEVER
  })
export const positiveUsd = usd("an amount").refine((amount) => amount > 0n, "must be more than 0")
export const whole = (low: number, high: number) =>
  z.coerce
    .number({ error: "must be a number" })
    .int()
    .min(low, `must be ${low} or more`)
    .max(high, `must be ${high} or less`)
const MAX_WORKERS = 64
export const workers = z.string().transform((text, context): number | "auto" => {
  if (text === "auto") return text
  if (/^[1-9]\d?$/.test(text) && Number(text) <= MAX_WORKERS) return Number(text)
  context.addIssue({ code: "custom", message: `must be auto or a whole number from 1 to ${MAX_WORKERS}` })
  return z.NEVER
})
export const emails = z.string().transform((text, context): ReadonlySet<string> => {
  const addresses = text.split(",").map(parseEmailAddress)
  if (addresses.every((address) => address !== null)) return new Set(addresses)
  context.addIssue({ code: "custom", message: "must be e-mail addresses separated by commas" })
  return z.NEVER
})
export const isGivenRole = (text: string): text is GivenRole => (GIVEN_ROLES as readonly string[]).includes(text)
/** The public id of an account. Returns its UUID. */
export const account = z.string().transform((text, context): string => {
  const id = parsePublicId("acc", text)
  if (id !== null) return id
  context.addIssue({ code: "custom", message: "must be the id of an account, acc_…" })
  return z.NEVER
})
export const filled = z.string().min(1)
/** A file that an operator puts under a mount point. It is only seen while nothing is mounted there. */
export const NOT_MOUNTED = ".not-mounted"
export const dataFolder = filled.refine(
  (folder) => !existsSync(path.join(folder, NOT_MOUNTED)),
  `has a file ${NOT_MOUNTED}: mount its share`,
)
export const secret = z.string().min(32, "must have 32 characters or more")
/** An age identity, also within a file as `age-keygen` writes it. The message never repeats it. */
export const identity = z.string().transform((text, context) => {
  const lines = text.split("\n").map((line) => line.trim())
  const [found, ...more] = lines.filter((line) => line !== "" && !line.startsWith("#"))
  if (found && more.length === 0 && /^AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]+$/.test(found)) return found
  context.addIssue({ code: "custom", message: "must be one age identity, AGE-SECRET-KEY-1…" })
  return z.NEVER
})
export const database = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// URL" })

/** One of these texts. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) =>
  z.enum(values, { error: `must be ${values.join(", ").replace(/, ([^,]*)$/, " or $1")}` })

export const gguf = filled
  .refine(
    (source) => parseHubSource(source) !== null || !source.startsWith("hf:"),
    "must be a file, hf:OWNER/REPO, hf:OWNER/REPO:FILE or hf:OWNER/REPO@COMMIT:FILE with all 40 digits of the commit",
  )
  .refine((source) => source.startsWith("hf:") || existsSync(source), "must be a file that exists")
