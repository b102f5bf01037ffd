import { z } from "zod"
import { GIVEN_ROLES, type GivenRole } from "@/lib/shared/accounts/roles"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { parsePublicId } from "./ids"
import { isGivenRole, oneOf } from "./setting-values"

/** What people of a domain join. */
export interface DomainAccount {
  /** A UUID. */
  accountId: string
  role: GivenRole
}

const isDomain = (name: string): boolean => parseEmailAddress(`a@${name}`) === `a@${name}`

const domainAccounts = z.string().transform((text, context): ReadonlyMap<string, DomainAccount> => {
  const found = new Map<string, DomainAccount>()
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message })
    return z.NEVER
  }
  for (const part of text.split(",")) {
    const [, domain = "", id = "", role = ""] = /^\s*([^=:\s]+)=(acc_\w+):(\w+)\s*$/.exec(part.toLowerCase()) ?? []
    const accountId = parsePublicId("acc", id)
    if (!isDomain(domain) || accountId === null || !isGivenRole(role))
      return refuse(`must be domain=acc_…:role,… with the roles ${GIVEN_ROLES.join(", ")}`)
    if (found.has(domain)) return refuse("must name each domain once")
    found.set(domain, { accountId, role })
  }
  return found
})

const domains = z.string().transform((text, context): ReadonlySet<string> => {
  const names = text.split(",").map((name) => name.trim().toLowerCase())
  if (names.every(isDomain)) return new Set(names)
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
  SIGN_UP_ACCOUNTS: domainAccounts
    .optional()
    .describe(
      "`DOMAIN=ACCOUNT:ROLE,…`, such as `example.com=acc_…:developer`: new users with an address at the domain join the account. See [Domains of an account](#domains-of-an-account)",
    ),
}
