import { z } from "zod"
import { parseEmailAddress } from "@/lib/shared/auth/schema"
import { oneOf } from "./setting-values"

const domains = z.string().transform((text, context): ReadonlySet<string> => {
  const names = text.split(",").map((name) => name.trim().toLowerCase())
  if (names.every((name) => parseEmailAddress(`a@${name}`) === `a@${name}`)) return new Set(names)
  context.addIssue({ code: "custom", message: "must be domains separated by commas, such as example.com" })
  return z.NEVER
})

/** The settings of who may become a user. */
export const signUpSettings = {
  SIGN_UP: oneOf("open", "domains", "invited", "off")
    .default("open")
    .describe(
      "Who may become a user: `open`, everyone; `domains`, addresses at `SIGN_UP_DOMAINS` and invited ones; `invited`; `off`, nobody. See [Who may come in](#who-may-come-in)",
    ),
  SIGN_UP_DOMAINS: domains
    .optional()
    .describe(
      "Domains separated by commas, such as `example.com`, without their subdomains. Required with `SIGN_UP=domains`",
    ),
}
