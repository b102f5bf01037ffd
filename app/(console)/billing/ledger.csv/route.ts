import { requireSession } from "@/lib/server/auth/session"
import { streamLedger } from "@/lib/server/billing/export-ledger"
import { monthOf, parseMonth } from "@/lib/server/billing/months"
import { ServiceError } from "@/lib/shared/errors"

const plain = (text: string, status: number): Response =>
  new Response(`${text}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } })

export async function GET(request: Request): Promise<Response> {
  const actor = await requireSession("/billing")
  const requested = new URL(request.url).searchParams.get("month") ?? monthOf(new Date())
  const month = parseMonth(requested)
  if (!month) return plain("The month must look like 2026-11.", 400)
  try {
    return new Response(streamLedger(actor, month), {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="ledger-${month}.csv"`,
        "cache-control": "private, no-store",
      },
    })
  } catch (error) {
    if (error instanceof ServiceError) return plain(error.message, error.status)
    throw error
  }
}
