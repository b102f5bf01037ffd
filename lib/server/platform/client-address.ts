import type { IncomingMessage } from "node:http"
import { isIP, isIPv6, SocketAddress } from "node:net"

/**
 * The client's address: the peer, or behind `hops` trusted proxies the n-th of `x-forwarded-for` from the right, which is
 * what the outermost of them saw. What is left of it the client may have written, and it is never read.
 */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const peer = canonical(request.socket.remoteAddress ?? "") ?? ""
  if (hops === 0) return peer
  const forwarded = String(request.headers["x-forwarded-for"] ?? "").split(",")
  return canonical(forwarded.at(-hops)?.trim() ?? "") ?? peer
}

/** What one client is for a rate limit: its IPv4 address, or its IPv6 /64. */
export function addressBlock(address: string): string {
  const known = canonical(address) ?? address
  if (!isIPv6(known)) return known
  const [head = "", tail = ""] = known.split("::")
  const left = head ? head.split(":") : []
  const right = tail ? tail.split(":") : []
  const zeros = known.includes("::") ? Array<string>(8 - left.length - right.length).fill("0") : []
  return [...left, ...zeros, ...right].slice(0, 4).join(":")
}

/** The one way to write an address, without port and zone; an IPv4 address that IPv6 carries as itself. Null: not an address. */
function canonical(written: string): string | null {
  const bare = written.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1")
  const address = bare.replace(/%.*$/, "")
  const family = isIP(address)
  if (family !== 6) return family === 4 ? address : null
  const known = new SocketAddress({ address, family: "ipv6" }).address
  return known.replace(/^::ffff:(?=\d+\.)/, "")
}
