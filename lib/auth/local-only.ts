import { BlockList, isIP } from "node:net"
import type { Env } from "../env"

const FORWARDING = /^(?:x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip)$/
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/** True for an IP address of this machine alone, also written as IPv6. */
export function isLoopbackAddress(address: string | null | undefined): boolean {
  if (!address) return false
  const loopback = new BlockList()
  loopback.addSubnet("127.0.0.0", 8)
  loopback.addAddress("::1", "ipv6")
  const family = isIP(address)
  return family !== 0 && loopback.check(address, family === 6 ? "ipv6" : "ipv4")
}

/**
 * True when a request can only come from a person at this machine: `CONSOLE_URL`, the socket's peer and the `Host` are
 * loopback, and no proxy left its mark. Takes the headers as the client sent them: Next adds `x-forwarded-*` of its own.
 */
export function isLocalOnly(
  headers: Iterable<readonly [string, unknown]>,
  peer: string | null | undefined,
  env: Pick<Env, "isLoopback">,
): boolean {
  if (!env.isLoopback || !isLoopbackAddress(peer)) return false
  let host: unknown
  for (const [name, value] of headers) {
    if (FORWARDING.test(name.toLowerCase())) return false
    if (name.toLowerCase() === "host") host = value
  }
  return typeof host === "string" && LOOPBACK_HOST.test(host)
}
