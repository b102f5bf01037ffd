import type { ClientBase, Pool } from "pg"
import type { Pico } from "@/lib/shared/money"

export interface PostedEntry {
  accountId: string
  kind: "welcome" | "credit" | "debit" | "topup" | "refund" | "dispute"
  /** Positive credits, negative debits. */
  amountPico: Pico
  /** Unique in the whole ledger. Posting the same entry again changes nothing. */
  source: string
  note?: string
}

/** Credits or debits an account once per source. Returns false if it was posted before. Throws when another entry has the source. */
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
