import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3")
/** Azure's machines reach their platform here, among public addresses. Other clouds use ranges that are refused anyway. */
const AZURE_WIRE_SERVER = "168.63.129.16"

/**
 * Returns whether an IP address is a public one of a single host. False for private, loopback, link-local, shared, documentation,
 * benchmarking, multicast and tunnel addresses, for those where clouds answer their own machines, and for text that is no address. An IPv4 address in IPv6 counts as itself.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== "unicast" || address.toString() === AZURE_WIRE_SERVER) return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6)
}

/** Returns the address that a URL's host is, in its usual form without brackets; null for a name. Needs a host as `URL` parses it. */
export function literalAddress(hostname: string): string | null {
  const text = hostname.replace(/^\[|\]$/g, "")
  return isIP(text) ? text : null
}
