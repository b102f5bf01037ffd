import { BlockList, isIP } from "node:net"

const NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** True for a URL's host name that means this machine alone: `localhost`, `127.x.y.z` or `[::1]`. */
export const isLoopbackName = (hostname: string): boolean => NAME.test(hostname)

/** True for an IP address of this machine alone, also written as IPv6. */
export function isLoopbackAddress(address: string | null | undefined): boolean {
  if (!address) return false
  const loopback = new BlockList()
  loopback.addSubnet("127.0.0.0", 8)
  loopback.addAddress("::1", "ipv6")
  const family = isIP(address)
  return family !== 0 && loopback.check(address, family === 6 ? "ipv6" : "ipv4")
}
