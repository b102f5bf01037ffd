import { ServiceError } from "@/lib/shared/errors"

const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** Returns true for a URL's host name that always means this machine: `localhost`, `127.x.y.z` or `[::1]`. */
export const isLoopbackName = (hostname: string): boolean => LOOPBACK_NAME.test(hostname)

/** Returns true when a browser's `Origin` is the console. If the console is on a loopback name, all loopback names count as it. */
export function isOwnOrigin(origin: string | undefined, consoleUrl: string): boolean {
  if (!origin || !URL.canParse(origin)) return false
  const own = new URL(consoleUrl)
  const sender = new URL(origin)
  if (sender.origin === own.origin) return true
  const isLocal = isLoopbackName(own.hostname) && isLoopbackName(sender.hostname)
  return isLocal && sender.port === own.port && sender.protocol === own.protocol
}

/** Throws `forbidden` unless a browser's `Origin` is the console. */
export function requireOwnOrigin(origin: string | undefined, consoleUrl: string): void {
  if (isOwnOrigin(origin, consoleUrl)) return
  throw new ServiceError("forbidden", {
    message: `The request was not sent from a page of the console at ${consoleUrl}.`,
  })
}
