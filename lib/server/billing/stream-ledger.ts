import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { streamText } from "@/lib/server/platform/csv"
import { CSV_HEAD, csvLine } from "./ledger-csv"
import { readMonth } from "./read-month"

async function* lines(actor: UserActor, month: string): AsyncGenerator<string> {
  yield CSV_HEAD
  for await (const entries of readMonth(actor, month)) yield entries.map(csvLine).join("")
}

/** An account's month as CSV, read as fast as it is taken. For its owners. */
export function streamLedger(actor: UserActor, month: string): ReadableStream<Uint8Array> {
  requireRight(actor, "billing.read")
  return streamText(lines(actor, month))
}
