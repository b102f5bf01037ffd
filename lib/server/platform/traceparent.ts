/** The header's form (W3C Trace Context, level 2). Versions above 00 may append fields. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

export interface Traceparent {
  traceId: string
  spanId: string
  /** Bit 0 is set when the caller records the trace. */
  traceFlags: number
}

/** Parses a `traceparent` header. Returns undefined for a missing or malformed header, which is never logged. */
export function parseTraceparent(header: string | string[] | undefined): Traceparent | undefined {
  const [, traceId, spanId, flags] = (typeof header === "string" && TRACEPARENT.exec(header)) || []
  return traceId && spanId && flags ? { traceId, spanId, traceFlags: Number.parseInt(flags, 16) } : undefined
}

/** Returns the trace id of a `traceparent` header, or undefined. */
export const traceIdOf = (header: string | string[] | undefined): string | undefined =>
  parseTraceparent(header)?.traceId
