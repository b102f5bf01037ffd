import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose"
import type { Runtime } from "@/lib/server/platform/runtime"
import { endSessionsOfPerson } from "../sessions"
import { recordSignIn } from "../sign-in-events"

const EVENT = "http://schemas.openid.net/event/backchannel-logout"
/** How much the clocks of the provider and of this service may differ, in seconds. */
const TOLERANCE_S = 10

/** Codes of errors about the response with the provider's keys, and not about the token. */
const UNAVAILABLE: ReadonlySet<string> = new Set([errors.JOSEError.code, errors.JWKSTimeout.code])

interface Logout {
  /** Null when the token names only a session. */
  subject: string | null
  sid: string | null
  issuedAtS: number
  /** Sessions that began later stay. The provider's clock may be behind this service's, and its times are in whole seconds. */
  untilMs: number
}

/** Returns what a verified logout token names; null when it is not one. */
function logoutOf({ sub, sid, iat, events, nonce }: JWTPayload): Logout | null {
  const isLogout = typeof events === "object" && events !== null && EVENT in events
  const names = { subject: sub ?? null, sid: typeof sid === "string" ? sid : null }
  if (!isLogout || nonce !== undefined || iat === undefined || (names.subject === null && names.sid === null))
    return null
  return { ...names, issuedAtS: iat, untilMs: (iat + 1 + TOLERANCE_S) * 1_000 }
}

/** Verifies a logout token. Null for a token that is invalid, expired, of another issuer or for another client. */
async function readToken({ env, issuerKeys }: Runtime, token: string): Promise<Logout | null> {
  const { OIDC_ISSUER: issuer = "", OIDC_CLIENT_ID: audience = "" } = env
  try {
    // Checked first, so that what is not for this service causes no request to the provider.
    if (decodeJwt(token).iss !== issuer) return null
    const { payload } = await jwtVerify(token, await issuerKeys.get(), {
      issuer,
      audience,
      algorithms: ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"],
      clockTolerance: TOLERANCE_S,
      maxTokenAge: 300,
      requiredClaims: ["iat", "exp", "jti"],
    })
    return logoutOf(payload)
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError) || UNAVAILABLE.has(cause.code)) throw cause
    return null
  }
}

const respond = (status: number, error?: string): Response =>
  error
    ? Response.json({ error }, { status, headers: { "cache-control": "no-store" } })
    : new Response(null, { status, headers: { "cache-control": "no-store" } })

/**
 * Handles OpenID Connect's back-channel logout: ends the sessions that a person began before the token was issued, all or those of one
 * session of the provider. Clocks may differ, so sessions of the next seconds end, too; a token that is sent again ends no later one. A sign-in
 * that the provider completed before, but that has no session yet, gets none.
 * Responds 400 to an invalid token, 404 without OpenID Connect, and 503 while the provider's keys cannot be fetched.
 */
export async function backchannelLogout(
  runtime: Runtime,
  form: URLSearchParams | null,
  clientAddress: string | null,
): Promise<Response> {
  if (!runtime.env.SIGN_IN.oidc) return respond(404, "not_found")
  const refuse = () => {
    recordSignIn(runtime, "sign_in.oidc_refused", { clientAddress, reason: "logout" })
    return respond(400, "invalid_request")
  }
  const token = form?.get("logout_token")
  if (!token) return refuse()
  const logout = await readToken(runtime, token).catch((cause: unknown) => {
    runtime.log.warn("The keys of the OpenID provider were not fetched", { event: "sign_in.keys_unavailable", cause })
    return undefined
  })
  if (logout === undefined) return respond(503, "temporarily_unavailable")
  if (logout === null) return refuse()
  await endSessionsOfPerson(runtime, { ...logout, issuer: runtime.env.OIDC_ISSUER ?? "" })
  return respond(200)
}
