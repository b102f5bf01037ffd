import { z } from "zod"
import { isLoopbackName } from "./own-origin"
import { filled } from "./setting-values"

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
}
