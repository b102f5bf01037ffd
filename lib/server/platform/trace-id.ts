/** The header's form (W3C Trace Context, level 2). Versions above 00 may append fields. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/

/** Returns the trace id of a `traceparent` header. Undefined for a missing or malformed header, which is never logged. */
export function traceIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? TRACEPARENT.exec(header)?.[1] : undefined
}
