import { setTimeout as sleep } from "node:timers/promises"
import { DatabaseError } from "pg"
import { type ChargeFacts, capture, type Resolution, release } from "@/lib/server/ledger/resolve-hold"
import { undoCharge } from "@/lib/server/ledger/undo-charge"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { letGo } from "./let-go"
import { orAbort } from "./or-abort"

const FIRST_WAIT_MS = 25
const LONGEST_WAIT_MS = 1_000
const SETTLE_MS = 10_000
const UNDO_EVERY_MS = 1_000

/** SQLSTATE classes of a statement that was refused for what it is; anything else may pass. */
const REFUSED = /^(22|23|42|P0)/

/** False when the database answered that it did not and will not do it. */
const mayPass = (error: unknown): boolean => !(error instanceof DatabaseError && REFUSED.test(error.code ?? ""))

async function untilAnswered<Result>(ask: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await orAbort(ask(), signal)
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error
      await sleep(waitMs, undefined, { signal }).catch(() => {})
    }
  }
}

/**
 * Turns a request's hold into its charge, asking again while the connection to the database breaks. Resolves only when it
 * is charged. Rejects only when it is not: a charge whose reply was lost is found out, for up to 10 s after `signal`
 * aborts, and undone as soon as the database answers again if that takes longer.
 */
export async function charge(holdId: string, facts: ChargeFacts, signal: AbortSignal): Promise<void> {
  let state: Resolution | null
  let failure: unknown
  try {
    state = await untilAnswered(() => capture(holdId, facts), signal)
    if (state !== "captured") await letGo(holdId)
    failure = new ServiceError(state === "expired" ? "upstream_timeout" : "internal_error", {
      cause: new Error(`a capture answered ${state}`),
    })
  } catch (error) {
    state = await untilAnswered(() => release(holdId), AbortSignal.timeout(SETTLE_MS)).catch(() => null)
    failure = signal.aborted ? signal.reason : error
  }
  if (state === "captured") return
  if (state === null) void undoWhenPossible(holdId)
  throw failure
}

async function undoWhenPossible(holdId: string): Promise<void> {
  const requestId = publicId("req", holdId)
  runtime().log.error("it is not known whether an error was charged; that will be undone", { requestId })
  while (true) {
    await sleep(UNDO_EVERY_MS, undefined, { ref: false })
    try {
      const undone = await undoCharge(holdId)
      return runtime().log.warn(undone ? "a charge without an answer was undone" : "there was no charge", { requestId })
    } catch {
      // The database is still away.
    }
  }
}
