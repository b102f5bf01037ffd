import { readFileSync } from "node:fs"
import path from "node:path"
import { z } from "zod"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { contrastFault } from "./accent"

export interface Logo {
  type: "image/svg+xml" | "image/png"
  bytes: Buffer
}

export const DEFAULT_NAME = "Decision service"
const MAX_LOGO_BYTES = 100_000
const LOGO_TYPES: Record<string, Logo["type"]> = { ".svg": "image/svg+xml", ".png": "image/png" }

const logo = z.string().transform((file, context): Logo => {
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message })
    return z.NEVER
  }
  const type = LOGO_TYPES[path.extname(file).toLowerCase()]
  if (!type) return refuse("must be an .svg or .png file")
  try {
    const bytes = readFileSync(file)
    return bytes.length <= MAX_LOGO_BYTES ? { type, bytes } : refuse("must be at most 100 kB")
  } catch {
    return refuse("must be a file that can be read")
  }
})

const color = (theme: "light" | "dark") =>
  z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "must be a colour such as #244eb5")
    .superRefine((hex, context) => {
      const fault = contrastFault(hex, theme)
      if (fault) context.addIssue({ code: "custom", message: fault })
    })
    .optional()

const email = z.string().refine((text) => parseEmailAddress(text) !== null, "must be an e-mail address")
const page = z.url({ protocol: /^https?$/, error: "must be an http or https URL" })

/** The settings of a company's name, logo, colours, contact and legal pages. */
export const brandSettings = {
  SERVICE_NAME: z
    .string()
    .trim()
    .min(1)
    .max(40, "must have 40 characters or fewer")
    .default(DEFAULT_NAME)
    .describe("The name on every page and in mails, at most 40 characters. See [Your name on it](#your-name-on-it)"),
  SERVICE_LOGO: logo.optional().meta({
    fallback: "three bars",
    description: "An `.svg` or `.png` file of at most 100 kB. Also the icon of the browser's tab",
  }),
  SERVICE_COLOR: color("light").meta({ fallback: "blue", description: "The accent, such as `#7a1f3d`" }),
  SERVICE_COLOR_DARK: color("dark").meta({
    fallback: "a lighter tone of `SERVICE_COLOR`",
    description: "The accent in the dark theme",
  }),
  SERVICE_ADDRESS: z
    .string()
    .trim()
    .max(400, "must have 400 characters or fewer")
    .transform((text) => text.replaceAll("\\n", "\n"))
    .optional()
    .describe("Your name and postal address, which statements show. `\\n` begins a line"),
  SERVICE_VAT_ID: z
    .string()
    .trim()
    .max(40, "must have 40 characters or fewer")
    .optional()
    .describe("Your VAT id, which statements show"),
  SUPPORT_EMAIL: email
    .optional()
    .meta({ fallback: '"the operator"', description: "Where users get help. Linked wherever a page says whom to ask" }),
  SUPPORT_URL: page.optional().meta({ fallback: "`SUPPORT_EMAIL`", description: "A page where users get help" }),
  TERMS_URL: page.optional().describe("Your terms, linked from every page"),
  PRIVACY_URL: page.optional().describe("Your privacy notice, linked from every page"),
  LEGAL_NOTICE_URL: page.optional().describe("Your legal notice, linked from every page"),
}
