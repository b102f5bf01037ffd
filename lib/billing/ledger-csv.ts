import { describeEntry } from "./describe-entry"
import type { Entry } from "./entry"

/** What a spreadsheet could take for a formula, in the wide forms too. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/

/** A text in quotes, so that no separator, quote or line break in it counts; one that looks like a formula is made plain text. */
const text = (value: string): string => `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`

/** The first line of the file. */
export const CSV_HEAD =
  "time_utc,entry,amount_usd,balance_after_usd,key,model,tokens,request_id,top_up_id,note,entry_id\r\n"

/** An entry as one line; amounts are exact, with twelve decimals. */
export function csvLine(entry: Entry): string {
  const { charge } = entry
  const fields = [
    entry.at,
    text(describeEntry(entry)),
    entry.amountUsd,
    entry.balanceAfterUsd,
    charge ? text(charge.keyName) : "",
    charge ? text(charge.model) : "",
    charge ? String(charge.tokens) : "",
    charge?.requestId ?? "",
    entry.topupId ?? "",
    entry.note === null ? "" : text(entry.note),
    entry.id,
  ]
  return `${fields.join(",")}\r\n`
}
