import { isLoopbackAddress } from "@/lib/server/platform/client-address"
import type { Env } from "@/lib/server/platform/env"
import { isLoopbackName } from "@/lib/server/platform/own-origin"

const FORWARDING = /^(?:x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip)$/
const PORT = /:\d{1,5}$/

/**
 * Returns true when a request can only come from this machine. `CONSOLE_URL`, the socket's peer and the `Host` must be
 * loopback. No proxy may be expected, and none may have added a header. `headers` must be those that arrived, because Next
 * later adds `x-forwarded-*`.
 */
export function isLocalOnly(
  headers: Iterable<readonly [string, unknown]>,
  peer: string | null | undefined,
  env: Pick<Env, "isLoopback" | "TRUSTED_PROXY_HOPS">,
): boolean {
  if (!env.isLoopback || env.TRUSTED_PROXY_HOPS > 0 || !isLoopbackAddress(peer)) return false
  let host: unknown
  for (const [name, value] of headers) {
    if (FORWARDING.test(name.toLowerCase())) return false
    if (name.toLowerCase() === "host") host = value
  }
  return typeof host === "string" && isLoopbackName(host.replace(PORT, ""))
}
