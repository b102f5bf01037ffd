import { randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose"
import Provider, { type Configuration } from "oidc-provider"
import { listen } from "../listen"

export const CLIENT = { id: "console", secret: "a-secret-for-tests-of-the-provider" } as const

/** A person whom the provider knows. */
export interface ProviderPerson {
  email?: string
  email_verified?: boolean
  groups?: unknown
}

export interface OpenIdProvider {
  /** The issuer. */
  url: string
  /** The people by subject. */
  people: Map<string, ProviderPerson>
  /** Who signs in next, by subject. Null cancels the sign-in. */
  next: { subject: string | null }
  /** Sends a back-channel logout to the console, of one session or of all of a subject. Returns when the console responded. */
  logOut(subject: string, sid?: string): Promise<void>
  /** Returns a logout token with the provider's signature. `claims` replace its own ones; undefined removes one. */
  logoutToken(subject: string, claims?: Record<string, unknown>): Promise<string>
  /** Turns the provider off or on. While off, it closes each connection. */
  setOff(isOff: boolean): void
}

async function interact(provider: Provider, subject: string | null, req: IncomingMessage, res: ServerResponse) {
  const result = subject === null ? { error: "access_denied" } : { login: { accountId: subject } }
  await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false })
}

function configurationOf(consoleUrl: string, people: OpenIdProvider["people"], key: JWK): Configuration {
  return {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${consoleUrl}/api/auth/callback/oidc`],
        backchannel_logout_uri: `${consoleUrl}/api/auth/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ["sub", "groups"], email: ["email", "email_verified"] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // By default it refuses to send logouts to addresses of this machine.
    fetch: (url, options) => {
      const { dispatcher: _refusing, ...sent } = options as RequestInit & { dispatcher?: unknown }
      return fetch(url, sent)
    },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, subject) => {
      const person = people.get(subject)
      return person && { accountId: subject, claims: () => ({ sub: subject, ...person }) }
    },
    async loadExistingGrant({ oidc }) {
      const { provider, client, session } = oidc
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId })
      grant.addOIDCScope("openid email")
      await grant.save()
      return grant
    },
  }
}

/** Starts the npm package `oidc-provider` on loopback for one console. Its sign-in page asks nothing: `next` signs in. */
export async function startOpenIdProvider(consoleUrl: string): Promise<OpenIdProvider> {
  const people: OpenIdProvider["people"] = new Map()
  const next: OpenIdProvider["next"] = { subject: null }
  let isOff = false
  let handle: ((req: IncomingMessage, res: ServerResponse) => unknown) | undefined
  const server = createServer((req, res) => (isOff ? req.socket.destroy() : handle?.(req, res)))
  // A busy machine may leave a connection idle for longer than Node's five seconds.
  server.keepAliveTimeout = 600_000
  const url = await listen(server)
  const { privateKey } = await generateKeyPair("RS256", { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: "tests", alg: "RS256", use: "sig" }
  const provider = new Provider(url, configurationOf(consoleUrl, people, key))
  const serve = provider.callback()
  handle = (req, res) =>
    req.url?.startsWith("/interaction/") ? interact(provider, next.subject, req, res) : serve(req, res)
  return {
    url,
    people,
    next,
    async logOut(subject, sid) {
      const client = (await provider.Client.find(CLIENT.id)) as unknown as {
        backchannelLogout(sub: string, sid: string | undefined): Promise<void>
      }
      await client.backchannelLogout(subject, sid)
    },
    logoutToken(subject, claims = {}) {
      const now = Math.floor(Date.now() / 1_000)
      const events = { "http://schemas.openid.net/event/backchannel-logout": {} }
      const own = {
        iss: url,
        aud: CLIENT.id,
        sub: subject,
        iat: now,
        exp: now + 120,
        jti: randomBytes(8).toString("hex"),
        events,
      }
      const header = { alg: "RS256", kid: key.kid, typ: "logout+jwt" }
      return new SignJWT({ ...own, ...claims }).setProtectedHeader(header).sign(privateKey)
    },
    setOff(off) {
      isOff = off
    },
  }
}
