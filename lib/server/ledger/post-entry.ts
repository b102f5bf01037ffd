import type { ClientBase, Pool } from "pg"
import type { Pico } from "@/lib/shared/money"

export interface PostedEntry {
  accountId: string
  kind: "welcome" | "credit" | "debit" | "topup" | "refund" | "dispute"
  /** Positive credits, negative debits. */
  amountPico: Pico
  /** Unique in the whole ledger: the same entry posted again under it changes nothing. */
  source: string
  note?: string
}

/** Credits or debits an account once per source; false when it had been posted. A different entry under that source throws. */
export async function postEntry(db: Pool | ClientBase, entry: PostedEntry): Promise<boolean> {
  const { rows } = await db.query<{ posted: boolean }>("SELECT post_entry($1, $2, $3, $4, $5) AS posted", [
    entry.accountId,
    entry.kind,
    entry.amountPico,
    entry.source,
    entry.note ?? null,
  ])
  return rows[0]?.posted ?? false
}
