import { readdirSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import path from "node:path"
import { pathOf, SAFE_METHODS } from "@/lib/server/api/console-request"
import { acceptsCoding } from "./accepts-coding"

/** What the build compresses, with the types that Next sends for it. */
const TYPES: Record<string, string> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
}
const ENDING = ".br"
/** Their errors are pages, which are not compressed with Brotli. */
const MAY_FAIL = ["range", "if-match", "if-unmodified-since"] as const

/**
 * Returns a function that directs a request for a script or style sheet to the copy that the build compressed with Brotli, when the
 * client accepts it. Next then sends the copy with its own caching headers. It compresses every other response itself, with gzip.
 */
export function brotliFiles(root: string): (request: IncomingMessage, response: ServerResponse) => void {
  const files = readdirSync(path.join(root, ".next/static"), { recursive: true, encoding: "utf8" })
  const compressed = new Set(files.filter((file) => file.endsWith(ENDING)).map((file) => `/_next/static/${file}`))
  return (request, response) => {
    const file = pathOf(request)
    const type = TYPES[path.extname(file)]
    if (!type || !compressed.has(file + ENDING) || !SAFE_METHODS.has(request.method)) return
    if (!acceptsCoding(request, "br") || MAY_FAIL.some((name) => request.headers[name])) return
    request.url = file + ENDING
    response.setHeader("content-type", type)
    response.setHeader("content-encoding", "br")
  }
}
