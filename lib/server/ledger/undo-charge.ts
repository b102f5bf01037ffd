import { setTimeout as sleep } from "node:timers/promises"
import type { PoolClient } from "pg"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import type { HoldRef } from "./held-request"
import { postEntry } from "./post-entry"
import { release } from "./release-hold"

const UNDO_EVERY_MS = 1_000

// A retry may have computed the answer for this charge, or may be computing it. The charge then stays.
const FORGET_KEY = `
  DELETE FROM idempotency_key WHERE account_id = $1 AND hold_id = $2 AND computed_again = 0`

/** Credits the charge of a hold and forgets its idempotency key. Returns false for a charge whose answer a retry receives. */
async function reverse(client: PoolClient, hold: HoldRef, isKeyed: boolean): Promise<boolean> {
  await client.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [hold.accountId])
  if (isKeyed && (await client.query(FORGET_KEY, [hold.accountId, hold.id])).rowCount === 0) return false
  const { rows } = await client.query<{ account_id: string; amount_pico: string }>(
    "SELECT account_id, amount_pico FROM ledger_entry WHERE hold_id = $1",
    [hold.id],
  )
  const [entry] = rows
  if (!entry) throw new Error("a captured hold must have a ledger entry")
  await postEntry(client, {
    accountId: entry.account_id,
    kind: "credit",
    amountPico: pico(-BigInt(entry.amount_pico)),
    source: `undo:${hold.id}`,
    note: "Reversal of a charge whose answer was not sent",
  })
  return true
}

/** Releases a hold or, if it was captured, credits its charge. Returns the result. */
async function undoCharge(hold: HoldRef, isKeyed: boolean): Promise<"released" | "reversed" | "kept"> {
  if ((await release(hold)) !== "captured") return "released"
  const isReversed = await inTransaction(runtime().pool, (client) => reverse(client, hold, isKeyed))
  return isReversed ? "reversed" : "kept"
}

const MESSAGES = {
  released: "The failed request was not charged",
  reversed: "The charge of a failed request was reversed",
  kept: "The charge of a failed request stays: a retry with its idempotency key receives the answer",
}

/**
 * Reverses the charge of a failed request, if there is one, once the database is reachable. `isKeyed` means that the request had
 * an `Idempotency-Key`. Resolves when it is done.
 */
export async function undoWhenReachable(hold: HoldRef, isKeyed: boolean): Promise<void> {
  const requestId = publicId("req", hold.id)
  const fields = { event: "charge.unknown", requestId }
  runtime().log.error("It is unknown whether a failed request was charged. A charge will be reversed", fields)
  while (true) {
    await sleep(UNDO_EVERY_MS, undefined, { ref: false })
    try {
      const message = MESSAGES[await undoCharge(hold, isKeyed)]
      return runtime().log.warn(message, { event: "charge.resolved", requestId })
    } catch {
      // The database is still unreachable.
    }
  }
}
