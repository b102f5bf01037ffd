import type { OAuthConfig } from "next-auth/providers/oauth"
import type { Env } from "@/lib/server/platform/env"
import { outboundAgent } from "@/lib/server/platform/outbound"
import { parseEmailAddress } from "@/lib/shared/auth/email-address"
import { sessionCookieOptions } from "../session-cookie"

const TIMEOUT_MS = 10_000
const COOKIE_SECONDS = 600

/** A person at the provider, whom issuer and subject identify. */
export interface Person {
  issuer: string
  subject: string
  /** The address, if the provider says that it verified it. */
  email: string | null
  /** The provider's session, which a back-channel logout may name. */
  sid: string | null
  /** What `OIDC_ROLE_CLAIM` names; empty without that setting or claim. */
  groups: readonly string[]
  /** When the provider issued the signed token, in seconds of its clock. */
  issuedAtS: number
}

interface Claims extends Record<string, unknown> {
  iss: string
  iat: number
  sub: string
  sid?: unknown
  email?: unknown
  email_verified?: unknown
}

type OidcEnv = Pick<
  Env,
  | ("OIDC_ISSUER" | "OIDC_CLIENT_ID" | "OIDC_CLIENT_SECRET" | "OIDC_NAME" | "OIDC_SCOPES" | "OIDC_ROLE_CLAIM")
  | ("HTTPS_PROXY" | "NO_PROXY")
>

/** Returns the address of an issuer's discovery document. */
export const discoveryUrl = (issuer: string): string => `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`

/** Returns next-auth's cookies of a sign-in that is under way. They are encrypted, and bound to the browser. */
export function oidcCookies(env: Pick<Env, "isSecure">) {
  const cookie = (name: string) => ({
    name: `${env.isSecure ? "__Host-" : ""}svcd-oidc-${name}`,
    options: { ...sessionCookieOptions(env), maxAge: COOKIE_SECONDS },
  })
  return { state: cookie("state"), pkceCodeVerifier: cookie("pkce"), nonce: cookie("nonce") }
}

/** Returns the texts of a claim that is a text or a list. */
const textsOf = (claim: unknown): string[] => [claim].flat().filter((text) => typeof text === "string")

const personOf = (issuer: string, claims: Claims, roleClaim: string | undefined): Person => ({
  issuer,
  subject: claims.sub,
  email: claims.email_verified === true ? parseEmailAddress(claims.email) : null,
  sid: typeof claims.sid === "string" ? claims.sid : null,
  groups: roleClaim === undefined ? [] : textsOf(claims[roleClaim]),
  issuedAtS: claims.iat,
})

type Address = Pick<Claims, "email" | "email_verified">

/**
 * Returns the claims of the signed token, and what only the userinfo endpoint says. Providers may have the address in one of the two
 * only. Whether it is verified counts only from a source that names the same address. The signed token wins.
 */
export function mergeClaims<Token extends object>(token: Token, userinfo: object): Token {
  const [own, more]: [Address, Address] = [token, userinfo]
  const isSilent = own.email_verified === undefined && own.email === more.email
  const { email, email_verified } = own.email === undefined || isSilent ? more : own
  return { ...userinfo, ...token, email, email_verified }
}

/** Returns next-auth's provider. `onPerson` receives the person once all tokens were verified. */
export function oidcProvider(env: OidcEnv, onPerson: (person: Person) => void): OAuthConfig<Claims> {
  const { OIDC_ISSUER: issuer = "", OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, OIDC_SCOPES, OIDC_ROLE_CLAIM } = env
  return {
    id: "oidc",
    type: "oauth",
    name: OIDC_NAME,
    wellKnown: discoveryUrl(issuer),
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    authorization: { params: { scope: OIDC_SCOPES } },
    httpOptions: { timeout: TIMEOUT_MS, agent: outboundAgent(env, issuer) },
    userinfo: {
      async request({ client, tokens }) {
        // next-auth's type hides that the tokens are the library's class.
        const verified = tokens as Exclude<Parameters<typeof client.userinfo>[0], string>
        const more = client.issuer.metadata.userinfo_endpoint ? await client.userinfo(verified) : {}
        return mergeClaims(verified.claims(), more)
      },
    },
    profile(claims) {
      // The library compares the token with what the discovery document says, and not with the setting.
      if (claims.iss !== issuer) throw new Error("the token is of another issuer")
      const person = personOf(issuer, claims, OIDC_ROLE_CLAIM)
      onPerson(person)
      return { id: person.subject, email: person.email }
    },
  }
}
