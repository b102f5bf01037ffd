import type { IncomingMessage } from "node:http"
import { CEILINGS } from "@/questions/limits"

/** The values of `Content-Encoding` that the service decodes, as the message of a refusal lists them. */
const CODINGS = ["zstd", "gzip", "deflate", "br"] as const
export type Coding = (typeof CODINGS)[number]

/** Returns the coding of a body, null for a body without one, and "unsupported" for any other and for several. */
export function codingOf({ headers }: IncomingMessage): Coding | "unsupported" | null {
  const value = headers["content-encoding"]?.toLowerCase() ?? ""
  if (value === "" || value === "identity") return null
  return CODINGS.find((coding) => coding === value) ?? "unsupported"
}

const FREE_DECODED_BYTES = 1024 * 1024
const MAX_RATIO = 200

/** Returns how many bytes a body of this many encoded bytes may decode to. Longer ones are bombs or over the global limit. */
export const decodedBound = (encodedBytes: number): number =>
  Math.min(CEILINGS.bodyBytes, Math.max(FREE_DECODED_BYTES, MAX_RATIO * encodedBytes))

/** Returns why the headers alone refuse the body, as a message, or null for JSON that the service can read. */
export function mediaFault(request: IncomingMessage): string | null {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? ""
  if (type.startsWith("multipart/")) return "Multipart bodies are not supported. Send application/json."
  if (type !== "application/json") return "Send application/json."
  if (!/^chunked$/i.test(request.headers["transfer-encoding"] ?? "chunked"))
    return "Send the body without a Transfer-Encoding other than chunked."
  return codingOf(request) === "unsupported"
    ? `Send the body without a Content-Encoding, or with one of ${CODINGS.join(", ")}.`
    : null
}
