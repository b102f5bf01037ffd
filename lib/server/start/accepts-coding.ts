import type { IncomingMessage } from "node:http"

/** A coding with `q=0` is refused (RFC 9110, section 12.4.2). */
const ACCEPTED = {
  gzip: /(?:^|[\s,])gzip\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))/i,
  br: /(?:^|[\s,])br\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))/i,
}

/** Returns whether a client names a content coding in `Accept-Encoding` and does not refuse it. */
export const acceptsCoding = ({ headers }: IncomingMessage, coding: keyof typeof ACCEPTED): boolean =>
  ACCEPTED[coding].test(String(headers["accept-encoding"] ?? ""))
