import type { IncomingMessage, ServerResponse } from "node:http"
import { runtime } from "@/lib/server/platform/runtime"
import { prepareStatus } from "@/lib/server/status/prepare-status"
import { markRecorded } from "./request-record"

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }
const escapeHtml = (text: string): string => text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character)

const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
${body}
</html>
`

const BUSY = pageOf(
  "The console is busy",
  `<p>Reload the page in a few seconds. The API is not affected.</p>
<p><a href="/status">Status of the service</a></p>`,
)

const UNREADABLE = pageOf(
  "Status",
  "<p>The console cannot show pages now, and the status cannot be read. Reload the page in a minute.</p>",
)

/** Returns the status as a page without scripts and styles: the console, which has a better one, cannot render it. */
async function plainStatus(): Promise<string> {
  const report = await runtime()
    .statusReports.current()
    .catch(() => null)
  if (!report) return UNREADABLE
  const { headline, parts } = prepareStatus(report)
  const rows = parts.map(
    ({ name, model, sentence, last24Hours }) =>
      `<li><b>${escapeHtml(model ?? name)}</b>: ${escapeHtml(sentence)} 24 hours: ${last24Hours}</li>`,
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
    "cache-control": "no-store",
    "retry-after": "1",
    connection: "close",
  })
  if (isPage && isStatusPage(request)) void plainStatus().then((page) => response.end(page))
  else response.end(isPage ? BUSY : "The console is busy. Try again in a few seconds.\n")
  markRecorded(response)
  runtime().metrics.ended("console", status, "console_unavailable")
}
