import { csvText } from "@/lib/server/platform/csv"
import { describeEntry } from "./describe-entry"
import type { Entry } from "./entry"

/** The first line of the file. */
export const CSV_HEAD =
  "time_utc,entry,amount_usd,balance_after_usd,key,model,tokens,request_id,top_up_id,note,entry_id\r\n"

/** An entry as one line; amounts are exact, with twelve decimals. */
export function csvLine(entry: Entry): string {
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
  ]
  return `${fields.join(",")}\r\n`
}
