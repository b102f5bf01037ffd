import type { LookupFunction } from "node:net"
import { Agent, type Dispatcher, errors, ProxyAgent, request } from "undici"
import { faultOfUrl } from "@/lib/shared/webhooks/schema"
import { isPublicAddress, literalAddress } from "./public-address"
import { type Address, resolveName } from "./resolve-name"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    webhooks: WebhookClient
  }
}

/** For the log only. */
type NetworkFault = "address" | "name" | "certificate" | "timeout" | "connection" | "proxy"

/** The receiver's status, or why there was none. */
export type WebhookReply = { status: number; fault: null } | { status: null; fault: NetworkFault }

export interface WebhookClient {
  /** Sends one request and never follows a redirect. Reads nothing of the response but its status. Never rejects. */
  post(url: string, headers: Record<string, string>, body: string): Promise<WebhookReply>
  close(): Promise<void>
}

interface ClientOptions {
  resolve?: (hostname: string) => Promise<Address[]>
  isAllowed?: (address: string) => boolean
  /** A certificate to trust besides those of Node. */
  ca?: string
  timeoutMs?: number
  /** Returns the proxy through which an address is reached. Null for none. */
  proxyOf?: (url: string) => string | null
}

class RefusedAddress extends Error {}
class UnresolvedName extends Error {}

const MAX_RESPONSE_BYTES = 65_536

type Checks = Required<Pick<ClientOptions, "resolve" | "isAllowed">>

/** Returns every address of a name. Rejects with `UnresolvedName`, or with `RefusedAddress` when one of them is refused. */
async function checkedAddresses(hostname: string, { resolve, isAllowed }: Checks): Promise<[Address, ...Address[]]> {
  const addresses = await resolve(hostname).catch(() => {
    throw new UnresolvedName()
  })
  const [first, ...others] = addresses
  if (!first || addresses.some(({ address }) => !isAllowed(address))) throw new RefusedAddress()
  return [first, ...others]
}

/**
 * Resolves names for connections. It passes on only addresses that it checked, so a name cannot point elsewhere when the connection is
 * made. A name with one refused address is refused.
 */
function checkedLookup(checks: Checks): LookupFunction {
  return (hostname, options, done) => {
    checkedAddresses(hostname, checks).then(
      (addresses) => {
        if (options.all) return done(null, addresses)
        done(null, addresses[0].address, addresses[0].family)
      },
      (refusal: Error) => done(refusal, "", 0),
    )
  }
}

interface Message {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
}

/**
 * Sends a message through a proxy. It names the address that was checked to the proxy, not the host, because the proxy would resolve the
 * host itself. TLS within the tunnel still proves the host. A host that is an address must have been checked before.
 */
async function postThrough(uri: string, address: string, message: Message, options: Checks & { ca?: string }) {
  const url = new URL(address)
  const { host, hostname } = url
  const isName = literalAddress(hostname) === null
  if (isName) {
    const [{ address: ip, family }] = await checkedAddresses(hostname, options)
    url.hostname = family === 6 ? `[${ip}]` : ip
  }
  const requestTls = { ...(isName ? { servername: hostname } : {}), ...(options.ca ? { ca: options.ca } : {}) }
  const dispatcher = new ProxyAgent({ uri, requestTls, maxResponseSize: MAX_RESPONSE_BYTES })
  try {
    return await statusOf(url, { ...message, headers: { ...message.headers, host } }, dispatcher)
  } finally {
    await dispatcher.destroy()
  }
}

async function statusOf(url: URL, { headers, body, signal }: Message, dispatcher: Dispatcher): Promise<number> {
  const response = await request(url, { method: "POST", headers, body, dispatcher, signal })
  await response.body.dump({ limit: MAX_RESPONSE_BYTES, signal }).catch(() => {})
  return response.statusCode
}

function faultOf(error: unknown): NetworkFault {
  const { code = "", name = "" } = error as { code?: string; name?: string }
  if (error instanceof RefusedAddress) return "address"
  if (error instanceof UnresolvedName) return "name"
  if (error instanceof errors.RequestAbortedError && /^Proxy response/.test(error.message)) return "proxy"
  if (
    name === "TimeoutError" ||
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError
  )
    return "timeout"
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|SSL|TLS/.test(code) ? "certificate" : "connection"
}

/** Creates the client that calls webhooks: https only, public addresses only, 10 s, at most 64 KiB of a response. */
export function createWebhookClient(options: ClientOptions = {}): WebhookClient {
  const { resolve = resolveName, isAllowed = isPublicAddress, ca, timeoutMs = 10_000, proxyOf = () => null } = options
  const agent = new Agent({
    connect: { lookup: checkedLookup({ resolve, isAllowed }), timeout: timeoutMs, ...(ca ? { ca } : {}) },
    keepAliveTimeout: 1_000,
    maxResponseSize: MAX_RESPONSE_BYTES,
  })
  return {
    async post(url, headers, body) {
      const literal = literalAddress(new URL(url).hostname)
      // A host that is an address needs no lookup, so it is checked here. An earlier release stored addresses of more kinds.
      if (faultOfUrl(url) || (literal && !isAllowed(literal))) return { status: null, fault: "address" }
      try {
        const message = { headers, body, signal: AbortSignal.timeout(timeoutMs) }
        const proxy = proxyOf(url)
        const status = proxy
          ? await postThrough(proxy, url, message, { resolve, isAllowed, ...(ca ? { ca } : {}) })
          : await statusOf(new URL(url), message, agent)
        return { status, fault: null }
      } catch (error) {
        return { status: null, fault: faultOf(error) }
      }
    },
    close: () => agent.destroy(),
  }
}
