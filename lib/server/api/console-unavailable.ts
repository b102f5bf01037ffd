import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { escapeHtml } from "@/lib/server/platform/escape-html"
import { runtime } from "@/lib/server/platform/runtime"
import { prepareStatus } from "@/lib/server/status/prepare-status"
import { markRecorded } from "./request-record"

// The console's style sheet cannot be served either.
const STYLE = `
:root { color-scheme: light dark; color: light-dark(#1b1d22, #efeeea); background: light-dark(#fafaf8, #0e0f13) }
body { margin: 15vh auto 0; padding: 0 1.5rem; max-width: 36rem; font: 1rem/1.6 system-ui, sans-serif }
h1 { font-size: 1.375rem; line-height: 1.3 }
a { color: light-dark(#244eb5, #8fb0f8) }`

const POLICY = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`

const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="5">
<title>${title}</title>
<style>${STYLE}</style>
<h1>${title}</h1>
${body}
</html>
`

const BUSY = pageOf(
  "The console is busy",
  `<p>This page reloads by itself every five seconds. The API is not affected.</p>
<p><a href="/status">Status of the service</a></p>`,
)

/** Returns the status as a page that needs nothing from the console, which cannot render its own status page now. */
function plainStatus(): string {
  const { headline, parts } = prepareStatus(runtime().statusReports.current(runtime()))
  const rows = parts.map(
    ({ name, model, sentence, last24Hours }) =>
      `<li><b>${escapeHtml(model ?? name)}</b>: ${escapeHtml(sentence)} ${last24Hours}.</li>`,
  )
  return pageOf(
    "Status",
    `<p>${escapeHtml(headline)}. The console cannot show pages now.</p>
<ul>
${rows.join("\n")}
</ul>`,
  )
}

const isStatusPage = ({ method, url }: IncomingMessage): boolean =>
  method === "GET" && (url ?? "").split("?", 1)[0] === "/status"

/**
 * Responds that the console cannot render now, with a page for browsers. Closes the connection, because refusing each of
 * many pipelined requests would cost more than the client paid. Writes no log line for the same reason; the metrics count it.
 */
export function sendConsoleUnavailable(request: IncomingMessage, response: ServerResponse, status: 503 | 504): void {
  if (response.headersSent || response.destroyed) return
  const isPage = request.headers.accept?.includes("text/html") ?? false
  response.writeHead(status, {
    "content-type": isPage ? "text/html; charset=utf-8" : "text/plain; charset=utf-8",
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "retry-after": "1",
    connection: "close",
  })
  if (isPage && isStatusPage(request)) response.end(plainStatus())
  else response.end(isPage ? BUSY : "The console is busy. Try again in a few seconds.\n")
  markRecorded(response)
  runtime().metrics.ended("console", status, "console_unavailable")
}
