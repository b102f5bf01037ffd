import { streamLedger } from "@/lib/server/billing/export-ledger"
import { monthOf, parseMonth } from "@/lib/server/billing/months"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { downloadRoute } from "../../_components/download-route"

export const GET = downloadRoute("/billing", async (actor, query) => {
  const month = parseMonth(query.get("month") ?? monthOf(new Date()))
  if (!month) throw new ServiceError("invalid_request", { message: "The month must look like 2026-11." })
  return {
    name: `ledger-${month}-${publicId("acc", actor.accountId)}.csv`,
    type: "text/csv; charset=utf-8",
    body: streamLedger(runtime(), actor, { month }),
  }
})
