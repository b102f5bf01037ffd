import { requireDownload } from "@/lib/server/auth/session"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { parseUsageSearch } from "@/lib/server/usage/search"
import { streamRequests } from "@/lib/server/usage/stream-requests"
import { csvResponse, refusedDownload } from "../../_components/csv-response"

export async function GET(request: Request): Promise<Response> {
  const actor = await requireDownload(request, "/usage")
  const search = parseUsageSearch(Object.fromEntries(new URL(request.url).searchParams))
  const { before: _, ...filters } = search
  const name = "from" in filters.range ? `${filters.range.from}-to-${filters.range.to}` : `${filters.range.days}-days`
  try {
    return csvResponse(
      `requests-${name}-${publicId("acc", actor.accountId)}.csv`,
      streamRequests(runtime(), actor, filters),
    )
  } catch (error) {
    return refusedDownload(error)
  }
}
