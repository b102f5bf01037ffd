import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import { streamText } from "@/lib/server/platform/stream-text"
import type { MonthInput } from "@/lib/shared/billing/schema"
import { csvText } from "@/lib/shared/csv"
import { describeEntry, ENTRY_COLUMNS, type Entry, type EntryRow, toEntries } from "./entries"
import { monthRange } from "./months"

const BATCH = 1_000
const CSV_HEAD =
  "time_utc,entry,amount_usd,balance_after_usd,key,model,tokens,request_id,top_up_id,note,entry_id,key_ending,tags\r\n"

/** Renders an entry as a line of CSV. Amounts are exact, with twelve decimals. */
export function ledgerLine(entry: Entry): string {
  const { charge } = entry
  const fields = [
    entry.at,
    csvText(describeEntry(entry)),
    entry.amountUsd,
    entry.balanceAfterUsd,
    charge ? csvText(charge.keyName) : "",
    charge ? csvText(charge.model) : "",
    charge ? String(charge.tokens) : "",
    charge?.requestId ?? "",
    entry.topupId ?? "",
    entry.note === null ? "" : csvText(entry.note),
    entry.id,
    charge?.keyEnding ? csvText(charge.keyEnding) : "",
    charge?.tags.length ? csvText(charge.tags.join(" ")) : "",
  ]
  return `${fields.join(",")}\r\n`
}

const NEXT = `
  SELECT ${ENTRY_COLUMNS} FROM ledger_entry
  WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 AND id > $4 ORDER BY id LIMIT ${BATCH}`

/** Yields the CSV of an account's entries of a month, oldest first, in batches, because a month may have millions of entries. */
export async function* ledgerCsv(runtime: Runtime, accountId: string, month: string): AsyncGenerator<string> {
  yield CSV_HEAD
  const { start, end } = monthRange(month)
  for (let after = "0"; ; ) {
    const { rows } = await runtime.pool.query<EntryRow>(NEXT, [accountId, start, end, after])
    if (rows.length > 0) yield (await toEntries(runtime, accountId, rows)).map(ledgerLine).join("")
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? after
  }
}

/** Streams the ledger of the actor's account in one month as CSV. Needs `billing.read`. Throws `rate_limited`. */
export function streamLedger(runtime: Runtime, actor: UserActor, { month }: MonthInput): ReadableStream<Uint8Array> {
  requireRight(actor, "billing.read")
  return streamText(runtime, actor.accountId, ledgerCsv(runtime, actor.accountId, month))
}
