import type { IncomingHttpHeaders } from "node:http"

/** Headers in which clients say how often they have sent a request before. Generated SDKs send the first one. */
const HEADERS = ["x-stainless-retry-count", "x-retry-count", "x-retry-attempt"]

/** Returns how often the client says that it sent this request before. 0 if no header says so. */
export function retriesOf(headers: IncomingHttpHeaders): number {
  const sent = HEADERS.map((name) => Number(headers[name])).find((count) => count > 0) ?? 0
  return Number.isInteger(sent) ? Math.min(sent, 1_000) : 0
}
