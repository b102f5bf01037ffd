import { requireDownload } from "@/lib/server/auth/session"
import { streamLedger } from "@/lib/server/billing/export-ledger"
import { monthOf, parseMonth } from "@/lib/server/billing/months"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { csvResponse, plainText, refusedDownload } from "../../_components/csv-response"

export async function GET(request: Request): Promise<Response> {
  const actor = await requireDownload(request, "/billing")
  const requested = new URL(request.url).searchParams.get("month") ?? monthOf(new Date())
  const month = parseMonth(requested)
  if (!month) return plainText("The month must look like 2026-11.", 400)
  try {
    return csvResponse(
      `ledger-${month}-${publicId("acc", actor.accountId)}.csv`,
      streamLedger(runtime(), actor, { month }),
    )
  } catch (error) {
    return refusedDownload(error)
  }
}
