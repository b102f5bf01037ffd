import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { parseUsageSearch } from "@/lib/server/usage/search"
import { streamRequests } from "@/lib/server/usage/stream-requests"
import { downloadRoute } from "../../_components/download-route"

export const GET = downloadRoute("/usage", async (actor, query) => {
  const { before: _, ...filters } = parseUsageSearch(Object.fromEntries(query))
  const { range } = filters
  const span = "from" in range ? `${range.from}-to-${range.to}` : `${range.days}-days`
  return {
    name: `requests-${span}-${publicId("acc", actor.accountId)}.csv`,
    type: "text/csv; charset=utf-8",
    body: streamRequests(runtime(), actor, filters),
  }
})
