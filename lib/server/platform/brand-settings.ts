import { readFileSync } from "node:fs"
import path from "node:path"
import { z } from "zod"
import { parseEmailAddress } from "@/lib/shared/auth/schema"
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
const page = z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional()

/** The settings of a company's name, logo, colours, contact and legal pages. */
export const brandSettings = {
  SERVICE_NAME: z.string().trim().min(1).max(40, "must have 40 characters or fewer").default(DEFAULT_NAME),
  SERVICE_LOGO: logo.optional(),
  SERVICE_COLOR: color("light"),
  SERVICE_COLOR_DARK: color("dark"),
  SUPPORT_EMAIL: email.optional(),
  SUPPORT_URL: page,
  TERMS_URL: page,
  PRIVACY_URL: page,
  LEGAL_NOTICE_URL: page,
}
