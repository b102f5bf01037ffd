import type { ClientBase, Pool } from "pg"
import type { Pico } from "@/lib/shared/money"

export interface PostedEntry {
  accountId: string
  kind: "welcome" | "credit" | "debit" | "topup" | "refund" | "dispute"
  /** A positive amount credits the account, a negative one debits it. */
  amountPico: Pico
  /** Unique in the whole ledger. Posting the same entry again changes nothing. */
  source: string
  note?: string
}

/** Credits or debits an account once per source. Returns false if the entry exists. Throws if a different entry has its source. */
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
