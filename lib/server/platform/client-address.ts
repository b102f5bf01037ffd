import type { IncomingMessage } from "node:http"
import { BlockList, isIP, isIPv6, SocketAddress } from "node:net"

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet("127.0.0.0", 8)
LOOPBACK.addAddress("::1", "ipv6")

/**
 * Returns the client's address: the peer, or behind `hops` trusted proxies the n-th entry of `x-forwarded-for` from the
 * right, which the outermost proxy wrote. Entries before it come from the client and are never read.
 */
export function clientAddress(request: IncomingMessage, hops: number): string {
  const peer = canonical(request.socket.remoteAddress ?? "") ?? ""
  if (hops === 0) return peer
  const forwarded = String(request.headers["x-forwarded-for"] ?? "").split(",")
  return canonical(forwarded.at(-hops)?.trim() ?? "") ?? peer
}

/** Returns what a rate limit counts as one client: an IPv4 address, or an IPv6 /64. */
export function addressBlock(address: string): string {
  const known = canonical(address) ?? address
  if (!isIPv6(known)) return known
  const [head = "", tail = ""] = known.split("::")
  const left = head ? head.split(":") : []
  const right = tail ? tail.split(":") : []
  const zeros = known.includes("::") ? Array<string>(8 - left.length - right.length).fill("0") : []
  return [...left, ...zeros, ...right].slice(0, 4).join(":")
}

/** True for an IP address of this machine alone, also for an IPv4 address written as IPv6. */
export function isLoopbackAddress(address: string | null | undefined): boolean {
  const family = isIP(address ?? "")
  return family !== 0 && LOOPBACK.check(address ?? "", family === 6 ? "ipv6" : "ipv4")
}

/** Returns an address in its canonical form, without port and zone, IPv4-mapped IPv6 as IPv4. Null when it is not one. */
function canonical(written: string): string | null {
  const bare = written.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1")
  const address = bare.replace(/%.*$/, "")
  const family = isIP(address)
  if (family !== 6) return family === 4 ? address : null
  const known = new SocketAddress({ address, family: "ipv6" }).address
  return known.replace(/^::ffff:(?=\d+\.)/, "")
}
