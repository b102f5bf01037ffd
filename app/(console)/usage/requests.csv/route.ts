import { requireSession } from "@/lib/server/auth/session"
import { parseUsageSearch } from "@/lib/server/usage/search"
import { streamRequests } from "@/lib/server/usage/stream-requests"

/** The log of requests as a file, with the page's own filters, sent while it is read. */
export async function GET(request: Request): Promise<Response> {
  const actor = await requireSession("/usage")
  const search = parseUsageSearch(Object.fromEntries(new URL(request.url).searchParams))
  const { before: _, ...wanted } = search
  const name = "from" in wanted.range ? `${wanted.range.from}-to-${wanted.range.to}` : `${wanted.range.days}-days`
  return new Response(streamRequests(actor, wanted), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="requests-${name}.csv"`,
      "cache-control": "private, no-store",
    },
  })
}
