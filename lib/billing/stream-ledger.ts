import "server-only"
import type { UserActor } from "../auth/user-actor"
import { CSV_HEAD, csvLine } from "./ledger-csv"
import { readMonth } from "./read-month"
import { requireOwner } from "./require-owner"

async function* lines(actor: UserActor, month: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(CSV_HEAD)
  for await (const entries of readMonth(actor, month)) yield encoder.encode(entries.map(csvLine).join(""))
}

/** An account's month as CSV, read as fast as it is taken. For its owners. */
export function streamLedger(actor: UserActor, month: string): ReadableStream<Uint8Array> {
  requireOwner(actor, "see its ledger")
  const source = lines(actor, month)
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await source.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await source.return(undefined)
    },
  })
}
