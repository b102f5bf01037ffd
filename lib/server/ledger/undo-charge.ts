import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { postEntry } from "./post-entry"
import { release } from "./resolve-hold"

/**
 * Makes sure that a hold costs nothing: lets it go or, when it was captured after all, credits its charge. Idempotent.
 * Answers whether there was a charge.
 */
export async function undoCharge(holdId: string): Promise<boolean> {
  if ((await release(holdId)) !== "captured") return false
  const { pool } = runtime()
  const { rows } = await pool.query<{ account_id: string; amount_pico: string }>(
    "SELECT account_id, amount_pico FROM ledger_entry WHERE hold_id = $1",
    [holdId],
  )
  const [charge] = rows
  if (!charge) throw new Error("a captured hold has its charge")
  await postEntry(pool, {
    accountId: charge.account_id,
    kind: "credit",
    amountPico: pico(-BigInt(charge.amount_pico)),
    source: `undo:${holdId}`,
    note: "A charge whose answer was not sent",
  })
  return true
}
