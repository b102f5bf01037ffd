import type { IncomingMessage } from "node:http"
import { BlockList, isIP, isIPv6, SocketAddress } from "node:net"
import { ServiceError } from "@/lib/shared/errors"

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet("127.0.0.0", 8)
LOOPBACK.addAddress("::1", "ipv6")

const NO_ADDRESS = "The request has no valid client address in X-Forwarded-For, which the proxy must set."
const NO_PEER = "The connection was closed."

/**
 * Returns the client's address. Without trusted proxies it is the socket's peer. Behind `hops` of them it is the entry of
 * `x-forwarded-for` at position `hops` from the right, which the outermost proxy wrote. Clients can forge the entries before it.
 * Throws `invalid_request` when that entry is missing or not an address. The peer is then a proxy, and its address must not replace
 * the client's, because a loopback address is exempt from limits. Throws it also for a socket without a peer, whose client has
 * left: no limit could count the request.
 */
export function clientAddress({ headers, socket }: IncomingMessage, hops: number): string {
  const forwarded = String(headers["x-forwarded-for"] ?? "").split(",")
  const address = canonical((hops === 0 ? socket.remoteAddress : forwarded.at(-hops)?.trim()) ?? "")
  if (address === null) throw new ServiceError("invalid_request", { message: hops === 0 ? NO_PEER : NO_ADDRESS })
  return address
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

/** Returns the client of a request as `addressBlock` names it. Throws as `clientAddress` does. */
export const clientBlock = (request: IncomingMessage, hops: number): string =>
  addressBlock(clientAddress(request, hops))

/** Returns true for a loopback address, also for an IPv4 one written as IPv6. */
export function isLoopbackAddress(address: string | null | undefined): boolean {
  const family = isIP(address ?? "")
  return family !== 0 && LOOPBACK.check(address ?? "", family === 6 ? "ipv6" : "ipv4")
}

/** Returns an address in canonical form, without port and zone, and IPv4-mapped IPv6 as IPv4. Null if it is not an address. */
function canonical(written: string): string | null {
  const bare = written.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1")
  const address = bare.replace(/%.*$/, "")
  const family = isIP(address)
  if (family !== 6) return family === 4 ? address : null
  const known = new SocketAddress({ address, family: "ipv6" }).address
  return known.replace(/^::ffff:(?=\d+\.)/, "")
}
