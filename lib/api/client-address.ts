import type { IncomingMessage } from "node:http"
import { isIPv6 } from "node:net"

/** The client's address: the peer, or behind `hops` trusted proxies the n-th of `x-forwarded-for` from the right. */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const peer = (request.socket.remoteAddress ?? "").replace(/^::ffff:/, "")
  if (hops === 0) return peer
  const forwarded = String(request.headers["x-forwarded-for"] ?? "").split(",")
  return forwarded.at(-hops)?.trim() || peer
}

/** What one client is for a rate limit: its IPv4 address, or its IPv6 /64. */
export function addressBlock(address: string): string {
  if (!isIPv6(address)) return address
  const [head = "", tail = ""] = address.split("::")
  const left = head ? head.split(":") : []
  const right = tail ? tail.split(":") : []
  const zeros = address.includes("::") ? Array<string>(8 - left.length - right.length).fill("0") : []
  return [...left, ...zeros, ...right].slice(0, 4).join(":")
}
