import { requireDownload } from "@/lib/server/auth/session"
import { streamExport } from "@/lib/server/closing/export-account"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { dayOf } from "@/lib/shared/time"
import { refusedDownload } from "../../_components/csv-response"

export async function GET(request: Request): Promise<Response> {
  const actor = await requireDownload(request, "/settings")
  try {
    const day = dayOf(new Date())
    return new Response(await streamExport(runtime(), actor), {
      headers: {
        "content-type": "application/zip",
        "content-disposition": `attachment; filename="${publicId("acc", actor.accountId)}-${day}.zip"`,
        "cache-control": "private, no-store",
      },
    })
  } catch (error) {
    return refusedDownload(error)
  }
}
