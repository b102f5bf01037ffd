import * as http from "node:http"
import type { Duplex } from "node:stream"
import { newId, publicId } from "@/lib/server/platform/ids"
import { errorBody, ServiceError } from "@/lib/shared/errors"

/** How long a client may take to read a refusal that is written onto its socket. */
const READ_MS = 2_000

/** The refusal of what is no HTTP, or no HTTP that an origin server answers (docs/decisions/0007). */
export const malformed = (): ServiceError =>
  new ServiceError("invalid_request", { message: "This is not HTTP that we understand." })

/** What the parser's complaint comes to: too late, too long to be a number, or malformed. */
export function parserRefusal(error: NodeJS.ErrnoException): ServiceError {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return new ServiceError("upstream_timeout")
  const isLength = error.code === "HPE_INVALID_CONTENT_LENGTH" || error.code === "HPE_INVALID_CHUNK_SIZE"
  const reason = "reason" in error ? String(error.reason) : ""
  return isLength && reason.endsWith("overflow")
    ? new ServiceError("request_too_large", { param: "body" })
    : malformed()
}

/** True for a request that has no path, or no `Host` where HTTP/1.1 asks for one. */
export const isMalformed = ({ url, headers, httpVersion }: http.IncomingMessage): boolean =>
  !url?.startsWith("/") || (httpVersion === "1.1" && headers.host === undefined)

/** Writes a refusal onto a socket that has no request to answer, and closes it. */
export function refuseOnSocket(socket: Duplex, refusal: ServiceError): void {
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify(errorBody(refusal))
  const head = [
    `HTTP/1.1 ${refusal.status} ${http.STATUS_CODES[refusal.status]}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${publicId("req", newId())}`,
    "cache-control: no-store",
    "connection: close",
  ]
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), READ_MS).unref()
}
