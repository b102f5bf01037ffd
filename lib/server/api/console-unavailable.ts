import type { IncomingMessage, ServerResponse } from "node:http"
import { runtime } from "@/lib/server/platform/runtime"
import { markRecorded } from "./request-record"

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The console is busy</title>
<h1>The console is busy</h1>
<p>Reload the page in a few seconds. The API is not affected.</p>
</html>
`

/**
 * Responds that the console cannot render now, with a page for browsers. Closes the connection, because refusing each of
 * many pipelined requests would cost more than the client paid. Writes no log line for the same reason; the metrics count it.
 */
export function sendConsoleUnavailable(request: IncomingMessage, response: ServerResponse, status: 503 | 504): void {
  if (response.headersSent || response.destroyed) return
  const isPage = request.headers.accept?.includes("text/html")
  response.writeHead(status, {
    "content-type": isPage ? "text/html; charset=utf-8" : "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "retry-after": "1",
    connection: "close",
  })
  response.end(isPage ? PAGE : "The console is busy. Try again in a few seconds.\n")
  markRecorded(response)
  runtime().metrics.ended("console", status, "console_unavailable")
}
