import { isIP } from "node:net"
import { ServiceError } from "@/lib/shared/errors"

interface RelyingParty {
  /** The host of the console, for which a browser keeps a passkey. */
  id: string
  origin: string
}

/**
 * Returns for which site passkeys are, by the address of the console. Null where no browser can use one: they need HTTPS and a name
 * instead of an IP address, or localhost.
 */
export function findRelyingParty(consoleUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(consoleUrl)
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost")
  const isNamed = isIP(hostname.replaceAll(/[[\]]/g, "")) === 0
  return (protocol === "https:" && isNamed) || isLocal ? { id: hostname, origin } : null
}

/** Does the same, but throws `invalid_request` instead of returning null. */
export function getRelyingParty(consoleUrl: string): RelyingParty {
  const party = findRelyingParty(consoleUrl)
  if (party) return party
  throw new ServiceError("invalid_request", {
    message: "Passkeys cannot be used here. They need a console with HTTPS and a domain name.",
  })
}
