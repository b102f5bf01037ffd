import { setTimeout as sleep } from "node:timers/promises"
import { DatabaseError, type PoolClient } from "pg"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import { orAbort } from "@/lib/server/platform/or-abort"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { pico } from "@/lib/shared/money"
import type { ChargeFacts, HoldRef, Resolution } from "./held-request"
import { capture, release, releaseHold } from "./hold"
import type { IdempotencyKey } from "./idempotency-claims"
import { postEntry } from "./post-entry"
import { withinMs } from "./within-ms"

const FIRST_DELAY_MS = 25
/** A charge is tried for this long, and then its outcome is looked for, so that a request ends within 10 s when the database is lost. */
const CHARGE_MS = 5_000
const SETTLE_MS = 3_000

/** Returns false for a SQLSTATE class that means that a retry cannot succeed. Other failures, even deadlocks, are temporary. */
const isTemporary = (error: unknown): boolean =>
  !(error instanceof DatabaseError && /^(22|23|42|P0)/.test(error.code ?? ""))

/** Retries `attempt` until the database replies or refuses, or `signal` aborts. Then rejects with the last failure. */
async function untilReply<Result>(attempt: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  let failure: unknown
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, 1_000)) {
    try {
      return await orAbort(attempt(), signal)
    } catch (error) {
      if (!isTemporary(error)) throw error
      if (!signal.aborted) failure = error
      await sleep(delayMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) throw failure ?? signal.reason
    }
  }
}

/** Returns the error of a request whose charge got no reply. The engine has answered, so a deadline does not blame it. */
function lostCharge(signal: AbortSignal, cause: unknown): unknown {
  const { reason } = signal
  const isDeadline = reason instanceof ServiceError && reason.code === "upstream_timeout"
  return signal.aborted && !isDeadline ? reason : new ServiceError("internal_error", { cause })
}

function captureFailure(state: Resolution): ServiceError {
  const cause = new Error(`the capture returned ${state}`)
  // The client's next attempt receives an answer for the charge that exists.
  if (state === "charged_before") return new ServiceError("capacity_exceeded", { retryAfterSeconds: 1, cause })
  return new ServiceError(state === "expired" ? "upstream_timeout" : "internal_error", { cause })
}

/**
 * Captures a hold, with retries after temporary failures. Resolves when the request was charged, and otherwise rejects. Without a reply
 * within 5 s, or when `signal` aborts, it checks for up to 3 s more. If that fails too, it rejects with `internal_error`, and reverses
 * a charge once the database is reachable, unless this process ends first or a retry with `key` gets the answer.
 * With `key`, it rejects with `capacity_exceeded` if the key was charged for another request.
 */
export async function charge(
  runtime: Runtime,
  hold: HoldRef,
  facts: ChargeFacts,
  signal: AbortSignal,
  key: IdempotencyKey | null = null,
): Promise<void> {
  let state: Resolution | null
  let failure: unknown
  try {
    const tryToCapture = () => capture(runtime, hold, facts, key)
    state = await withinMs(CHARGE_MS, signal, (trying) => untilReply(tryToCapture, trying))
    if (state === "captured") return
    await releaseHold(runtime, hold)
    failure = captureFailure(state)
  } catch (error) {
    // Releasing a hold that was captured after all changes nothing and returns 'captured'.
    const tryToRelease = () => release(runtime, hold)
    state = await withinMs(SETTLE_MS, null, (trying) => untilReply(tryToRelease, trying)).catch(() => null)
    failure = lostCharge(signal, error)
  }
  if (state === "captured") return
  if (state === null) void undoWhenReachable(runtime, hold, key !== null)
  throw failure
}

const UNDO_EVERY_MS = 1_000

// A retry may have computed the answer for this charge, or may be computing it. The charge then stays.
const FORGET_KEY = `
  DELETE FROM idempotency_key WHERE account_id = $1 AND hold_id = $2 AND computed_again = 0`

/** Credits the charge of a hold and forgets its idempotency key. Returns false, without a credit, if a retry may receive the answer. */
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
async function undoCharge(
  runtime: Runtime,
  hold: HoldRef,
  isKeyed: boolean,
): Promise<"released" | "reversed" | "kept"> {
  if ((await release(runtime, hold)) !== "captured") return "released"
  const isReversed = await inTransaction(runtime.pool, (client) => reverse(client, hold, isKeyed))
  return isReversed ? "reversed" : "kept"
}

const MESSAGES = {
  released: "The failed request was not charged",
  reversed: "The charge of a failed request was reversed",
  kept: "The charge of a failed request stays: a retry with its idempotency key receives the answer",
}

/**
 * Reverses the charge of a failed request, if there is one, once the database is reachable. `isKeyed` means that the request had
 * an `Idempotency-Key`. Resolves when it is done. A process that ends first leaves the charge as it is.
 */
async function undoWhenReachable(runtime: Runtime, hold: HoldRef, isKeyed: boolean): Promise<void> {
  const requestId = publicId("req", hold.id)
  const fields = { event: "charge.unknown", requestId }
  runtime.log.error("It is unknown whether a failed request was charged. This is checked every second", fields)
  let isReported = false
  while (true) {
    await sleep(UNDO_EVERY_MS, undefined, { ref: false })
    try {
      const message = MESSAGES[await undoCharge(runtime, hold, isKeyed)]
      return runtime.log.warn(message, { event: "charge.resolved", requestId })
    } catch (cause) {
      if (isReported || isTemporary(cause)) continue
      isReported = true
      const message = "The charge of a failed request could not be resolved. This is tried again every second"
      runtime.log.error(message, { event: "charge.unresolved", requestId, cause })
    }
  }
}
