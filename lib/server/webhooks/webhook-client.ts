import type { LookupFunction } from "node:net"
import { Agent, errors, request } from "undici"
import { faultOfUrl } from "@/lib/shared/webhooks/schema"
import { isPublicAddress, literalAddress } from "./public-address"
import { type Address, resolveName } from "./resolve-name"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    webhooks: WebhookClient
  }
}

/** For the log only. */
type NetworkFault = "address" | "name" | "certificate" | "timeout" | "connection"

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
}

class RefusedAddress extends Error {}
class UnresolvedName extends Error {}

const MAX_RESPONSE_BYTES = 65_536

/**
 * Resolves names for connections. It passes on only addresses that it checked, so a name cannot point elsewhere when the connection is
 * made. A name with one refused address is refused.
 */
function checkedLookup({ resolve, isAllowed }: Required<Pick<ClientOptions, "resolve" | "isAllowed">>): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (!first || addresses.some(({ address }) => !isAllowed(address))) return done(new RefusedAddress(), "", 0)
        if (options.all) return done(null, addresses)
        done(null, first.address, first.family)
      },
      () => done(new UnresolvedName(), "", 0),
    )
  }
}

function faultOf(error: unknown): NetworkFault {
  const { code = "", name = "" } = error as { code?: string; name?: string }
  if (error instanceof RefusedAddress) return "address"
  if (error instanceof UnresolvedName) return "name"
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
  const { resolve = resolveName, isAllowed = isPublicAddress, ca, timeoutMs = 10_000 } = options
  const agent = new Agent({
    connect: { lookup: checkedLookup({ resolve, isAllowed }), timeout: timeoutMs, ...(ca ? { ca } : {}) },
    keepAliveTimeout: 1_000,
    maxResponseSize: MAX_RESPONSE_BYTES,
  })
  return {
    async post(url, headers, body) {
      const literal = literalAddress(new URL(url).hostname)
      // A connection to an address needs no lookup, so it is checked here. An earlier release stored addresses of more kinds.
      if (faultOfUrl(url) || (literal && !isAllowed(literal))) return { status: null, fault: "address" }
      try {
        const signal = AbortSignal.timeout(timeoutMs)
        const response = await request(url, { method: "POST", headers, body, dispatcher: agent, signal })
        await response.body.dump({ limit: MAX_RESPONSE_BYTES, signal }).catch(() => {})
        return { status: response.statusCode, fault: null }
      } catch (error) {
        return { status: null, fault: faultOf(error) }
      }
    },
    close: () => agent.destroy(),
  }
}
