import { z } from "zod"
import { GIVEN_ROLES, type GivenRole } from "@/lib/shared/accounts/roles"
import { isLoopbackName } from "./own-origin"
import { account, filled, isGivenRole } from "./setting-values"

const ways = z.string().transform((text, context): { link: boolean; oidc: boolean } => {
  const names = text.split(",").map((name) => name.trim())
  if (names.every((name) => name === "link" || name === "oidc"))
    return { link: names.includes("link"), oidc: names.includes("oidc") }
  context.addIssue({ code: "custom", message: "must be link, oidc or link,oidc" })
  return z.NEVER
})

// Kept as it is, because a token's `iss` must be equal to it, also in a final slash.
const issuer = z
  .url({ protocol: /^https?$/, error: "must be an https URL" })
  .refine((url) => url.startsWith("https:") || isLoopbackName(new URL(url).hostname), "must be an https URL")
  .refine((url) => !/[?#@]/.test(url), "must be an address without a query")

/** Reads `group=role,…`, where a group may contain `=`. Keeps the order: the first group of a person counts. */
const groupRoles = z.string().transform((text, context): ReadonlyMap<string, GivenRole> => {
  const found = new Map<string, GivenRole>()
  const refuse = (message: string) => {
    context.addIssue({ code: "custom", message })
    return z.NEVER
  }
  for (const pair of text.split(",")) {
    const at = pair.lastIndexOf("=")
    const [group, role] = [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()]
    if (group === "" || !isGivenRole(role))
      return refuse(`must be group=role,… with the roles ${GIVEN_ROLES.join(", ")}, such as engineers=developer`)
    if (found.has(group)) return refuse("must name each group once")
    found.set(group, role)
  }
  return found
})

const scopes = z
  .string()
  .transform((text) => text.split(/\s+/).filter((scope) => scope !== ""))
  .refine((names) => names.includes("openid") && names.includes("email"), "must contain openid and email")
  .transform((names) => names.join(" "))

/** The settings of sign-in, beside those of the mailed link. */
export const oidcSettings = {
  SIGN_IN: ways
    .prefault("link")
    .describe(
      "How users sign in: `link`, by a mailed link; `oidc`, with an OpenID provider; or `link,oidc`. See [OpenID Connect](#openid-connect)",
    ),
  OIDC_ISSUER: issuer
    .optional()
    .describe("The provider's issuer, as its discovery document has it. Required with `oidc`"),
  OIDC_CLIENT_ID: filled.optional().describe("The client that you registered with the provider. Required with `oidc`"),
  OIDC_CLIENT_SECRET: filled.optional().describe("Its secret. Required with `oidc`"),
  OIDC_NAME: z
    .string()
    .trim()
    .min(1)
    .max(40, "must have 40 characters or fewer")
    .default("single sign-on")
    .describe("The provider's name on the sign-in page, at most 40 characters"),
  OIDC_SCOPES: scopes
    .prefault("openid email")
    .describe("The scopes that the service asks for, separated by spaces. Some providers need one more to send groups"),
  OIDC_ROLE_CLAIM: filled
    .optional()
    .describe(
      "The claim with a person's groups. With it, the role in `OIDC_ACCOUNT` follows them at each sign-in. See [Roles from groups](#roles-from-groups)",
    ),
  OIDC_ACCOUNT: account
    .optional()
    .describe("The account, `acc_…`, whose roles follow the groups. Required with `OIDC_ROLE_CLAIM`"),
  OIDC_ROLES: groupRoles
    .optional()
    .describe(
      "`GROUP=ROLE,…`, such as `engineers=developer,finance=billing`: the role of each group. The first group of a person counts. Required with `OIDC_ROLE_CLAIM`",
    ),
}

const OidcSettings = z.object(oidcSettings)
type OidcSettings = z.output<typeof OidcSettings>

/** Returns the settings that contradict each other, with what is wrong. */
export function oidcFaults(settings: OidcSettings): [name: string, fault: string][] {
  const { SIGN_IN, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLE_CLAIM, OIDC_ACCOUNT, OIDC_ROLES } =
    settings
  const client = Object.entries({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }).flatMap(
    ([name, value]): [string, string][] => {
      if (SIGN_IN.oidc === (value !== undefined)) return []
      return [[name, SIGN_IN.oidc ? "is required with oidc in SIGN_IN" : "must be empty without oidc in SIGN_IN"]]
    },
  )
  if (OIDC_ROLE_CLAIM !== undefined && !SIGN_IN.oidc)
    client.push(["OIDC_ROLE_CLAIM", "must be empty without oidc in SIGN_IN"])
  const roles = Object.entries({ OIDC_ACCOUNT, OIDC_ROLES }).flatMap(([name, value]): [string, string][] => {
    if ((OIDC_ROLE_CLAIM === undefined) === (value === undefined)) return []
    return [[name, value === undefined ? "is required with OIDC_ROLE_CLAIM" : "must be empty without OIDC_ROLE_CLAIM"]]
  })
  return [...client, ...roles]
}
