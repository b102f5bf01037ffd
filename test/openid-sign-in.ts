import { createServer, type IncomingMessage } from "node:http"
import { handleAuthRequest } from "@/lib/server/auth/auth-routes"
import { returnFromProvider } from "@/lib/server/auth/oidc/oidc-routes"
import { readCookie } from "@/lib/server/auth/session-cookie"
import { listOutbox } from "@/lib/server/mail/outbox"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "./database"
import { CLIENT, startOpenIdProvider } from "./doubles/openid-provider"
import { listen } from "./listen"
import { whoIs } from "./sign-in"
import { tempFolder } from "./temp-folder"

const PREFIX = "/api/auth/"

async function handle(req: IncomingMessage, origin: string): Promise<Response> {
  const { pathname } = new URL(req.url ?? "", origin)
  const headers = new Headers(Object.entries(req.headers).map(([name, value]) => [name, String(value)]))
  if (req.method === "GET" && pathname === `${PREFIX}callback/oidc`)
    return returnFromProvider(runtime(), new Request(`${origin}${req.url}`, { headers }))
  if (req.method !== "POST") return new Response("a page", { status: 200 })
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const request = new Request(`${origin}${req.url}`, { method: "POST", headers, body: Buffer.concat(chunks) })
  return handleAuthRequest(runtime(), pathname.slice(PREFIX.length), request)
}

/** Installs a runtime whose users sign in with an OpenID provider, and serves its routes of sign-in on loopback. */
export async function testOpenId(settings: Record<string, string> = {}) {
  let origin = ""
  const server = createServer((req, res) => {
    const respond = async () => {
      const response = await handle(req, origin)
      res.statusCode = response.status
      for (const [name, value] of response.headers) if (name !== "set-cookie") res.setHeader(name, value)
      res.setHeader("set-cookie", response.headers.getSetCookie())
      res.end(await response.text())
    }
    respond().catch((cause: Error) => res.destroy(cause))
  })
  // A busy machine may leave a connection idle for longer than Node's five seconds.
  server.keepAliveTimeout = 600_000
  origin = await listen(server)
  const provider = await startOpenIdProvider(origin)
  const app = await testRuntime({
    CONSOLE_URL: origin,
    DATA_DIR: tempFolder(),
    SIGN_IN: "link,oidc",
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: "Acme ID",
    ...settings,
  })
  return { app, provider, origin }
}

/** What a browser has: its cookies by host and port, and the addresses that it visited. */
export class TestBrowser {
  readonly origin: string
  readonly cookies = new Map<string, Map<string, string>>()
  readonly visited: string[] = []

  constructor(origin: string) {
    this.origin = origin
  }

  #jar(url: string): Map<string, string> {
    const { origin } = new URL(url)
    const jar = this.cookies.get(origin) ?? new Map<string, string>()
    this.cookies.set(origin, jar)
    return jar
  }

  /** Sends one request with the cookies of its host, and keeps those of the response. */
  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const jar = this.#jar(url)
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ")
    const headers = { ...init.headers, ...(cookie ? { cookie } : {}), origin: new URL(url).origin }
    const response = await fetch(url, { ...init, headers, redirect: "manual" })
    for (const text of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = text.split(";")
      const [name = "", value = ""] = pair.split(/=(.*)/s)
      const isDeleted = attributes.some((attribute) => /^\s*(?:max-age=0|expires=Thu, 01 Jan 1970)/i.test(attribute))
      if (isDeleted || value === "") jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  /** Follows redirects, also those of a page, until `stop` or a page. Returns the last address. */
  async follow(url: string, stop: (url: string) => boolean = () => false, init?: RequestInit): Promise<string> {
    this.visited.push(url)
    if (stop(url)) return url
    const response = await this.send(url, init)
    const next = response.headers.get("location") ?? response.headers.get("refresh")?.split("url=")[1]
    await response.text()
    return next ? this.follow(new URL(next, url).toString(), stop) : url
  }

  post(route: string, fields: Record<string, string>, stop?: (url: string) => boolean): Promise<string> {
    return this.follow(`${this.origin}${PREFIX}${route}`, stop, { method: "POST", body: new URLSearchParams(fields) })
  }

  /** Signs in with the provider, and returns the path that the browser ends at. */
  async signIn(next = ""): Promise<string> {
    return (await this.post("signin/oidc", { next })).slice(this.origin.length)
  }

  /** Signs in up to the provider's callback, and returns its address without visiting it. */
  callback(): Promise<string> {
    return this.post("signin/oidc", {}, (url) => url.startsWith(`${this.origin}${PREFIX}callback/oidc`))
  }

  /** Returns the signed-in user; null without a session. */
  who() {
    const cookie = [...this.#jar(this.origin)].map((pair) => pair.join("=")).join("; ")
    return whoIs(readCookie(cookie, "svcd-session"))
  }
}

/** Returns the secret of the newest mail that asks a user to confirm the provider's person. */
export async function linkingToken(email: string): Promise<string | null> {
  const message = (await listOutbox(runtime())).find(
    ({ to, subject }) => to === email && subject.startsWith("Confirm another way"),
  )
  return message ? new URLSearchParams(new URL(message.link ?? "").hash.slice(1)).get("i") : null
}
