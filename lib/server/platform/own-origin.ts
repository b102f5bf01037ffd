import { isLoopbackName } from "@/lib/server/platform/loopback"

/** True when a browser's `Origin` is our console. On this machine alone, its loopback names count as one place. */
export function isOwnOrigin(origin: string | undefined, consoleUrl: string): boolean {
  if (!origin || !URL.canParse(origin)) return false
  const ours = new URL(consoleUrl)
  const theirs = new URL(origin)
  if (theirs.origin === ours.origin) return true
  const near = isLoopbackName(ours.hostname) && isLoopbackName(theirs.hostname)
  return near && theirs.port === ours.port && theirs.protocol === ours.protocol
}
