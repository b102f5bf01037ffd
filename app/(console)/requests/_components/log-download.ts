import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { parseRequestsSearch } from "@/lib/server/usage/requests-search"
import { type LogFormat, streamRequests } from "@/lib/server/usage/stream-requests"
import { downloadRoute } from "../../_components/download-route"

const TYPES = { csv: "text/csv; charset=utf-8", jsonl: "application/x-ndjson; charset=utf-8" } as const

/** Returns the handler that streams the requests of the address's range and filters as a file. */
export const logDownload = (format: LogFormat) =>
  downloadRoute("/requests", async (actor, query) => {
    const search = parseRequestsSearch(Object.fromEntries(query))
    const { range } = search
    const span = "from" in range ? `${range.from}-to-${range.to}`.replaceAll(":", "") : `${range.days}-days`
    return {
      name: `requests-${span}-${publicId("acc", actor.accountId)}.${format}`,
      type: TYPES[format],
      body: streamRequests(runtime(), actor, search, format),
    }
  })
