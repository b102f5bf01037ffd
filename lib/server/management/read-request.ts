import { ServiceError } from "@/lib/shared/errors"
import type { Sent } from "./operation"

/** The edge refuses a longer body by its declared length. */
const MAX_BYTES = 64 * 1024

const hasNul = (value: unknown): boolean => typeof value === "string" && value.includes("\0")

/** Throws `invalid_request`, because PostgreSQL stores and compares no text with this character. */
function refuseNul(param?: string): never {
  throw new ServiceError("invalid_request", { ...(param ? { param } : {}), message: "Leave the character U+0000 out." })
}

/** Returns the query by name, without `dry_run`. Throws `invalid_request` when a name is given twice. */
function queryOf(url: URL): Record<string, string> {
  const query = Object.fromEntries(url.searchParams)
  if (Object.keys(query).length !== url.searchParams.size)
    throw new ServiceError("invalid_request", { message: "Give each parameter once." })
  if (Object.values(query).some(hasNul)) refuseNul()
  delete query.dry_run
  return query
}

async function bytesOf(request: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new ServiceError("request_too_large", { param: "body" })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the JSON of a body, and undefined for an empty one. Errors repeat nothing of it. */
function jsonOf(request: Request, body: Buffer): unknown {
  if (body.length === 0) return undefined
  const refuse = (message: string) => new ServiceError("invalid_request", { param: "body", message })
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw refuse("Send the body as application/json.")
  let isStorable = true
  const note = (_name: string, value: unknown) => {
    isStorable &&= !hasNul(value)
    return value
  }
  try {
    const parsed: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body), note)
    return isStorable ? parsed : refuseNul("body")
  } catch (thrown) {
    throw thrown instanceof ServiceError ? thrown : refuse("The body is not valid JSON.")
  }
}

/** Returns whether a request asks only what a change would do. Throws `invalid_request` for another value than `0` and `1`. */
export function isDryRun(url: URL): boolean {
  const value = url.searchParams.get("dry_run") ?? "0"
  if (value === "0" || value === "1") return value === "1"
  throw new ServiceError("invalid_request", { param: "dry_run", message: "Use 1 or 0." })
}

/** Reads a request's query and body. Throws `request_too_large` and `invalid_request`. */
export async function readSent(
  request: Request,
  url: URL,
  ids: Record<string, string>,
): Promise<Sent & { raw: Buffer }> {
  const raw = await bytesOf(request)
  return { ids, query: queryOf(url), body: jsonOf(request, raw), raw }
}
