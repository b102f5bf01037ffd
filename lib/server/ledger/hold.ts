/**
 * The life of a hold, from top to bottom.
 *
 *   placeHold ──► held ──► charge      ──► captured   the request is answered and paid
 *                     ├──► releaseHold ──► voided     the request failed: nothing is paid
 *                     └──► sweepHolds  ──► expired    a crash left it open for 150 s: nothing is paid (sweep-holds.ts)
 *
 * A hold reserves the maximum cost of a request against its key's spend limit and its account's balance while the engine
 * works. A hold ends exactly once. No call waits for the engine inside a transaction. If a reply of the database is lost, the
 * functions below find out whether the request was charged, and reverse the charge of a failed request (see `charge`).
 *
 * Requests of a busy key draw on a grant instead (grants.ts, drawn-charges.ts). They have no hold until they are charged. The SQL
 * statements, which concurrent requests share, are in hold-statements.ts.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { DatabaseError, type PoolClient } from "pg"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import { orAbort } from "@/lib/server/platform/or-abort"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { pico } from "@/lib/shared/money"
import { chargeDrawn, releaseDrawn } from "./drawn-charges"
import type { Draw } from "./grant"
import type { ChargeFacts, HoldOutcome, HoldRef, HoldRequest, Resolution } from "./held-request"
import type { IdempotencyKey } from "./idempotency-claims"
import { postEntry } from "./post-entry"

/** Places a hold. Before a refusal is final, recalls the account's grants if their credit may be what is missing, and tries again. */
async function admit({ holds, grants }: Runtime, request: HoldRequest): Promise<HoldOutcome> {
  const { hasGrants, ...first } = await holds.submit(request)
  if (!hasGrants) return first
  await grants.recall(request.actor.accountId)
  const { hasGrants: _, ...second } = await holds.submit(request)
  return second
}

/**
 * Reserves price × maximum tokens: from this process's grant for the key, else by a statement, which concurrent requests share. Rejects
 * with the abort's reason, or when the statement fails. The hold is then released, even if the database places it up to a minute later.
 * Where that fails, it expires after 150 s.
 */
export async function placeHold(runtime: Runtime, request: HoldRequest, signal?: AbortSignal): Promise<HoldOutcome> {
  if (!request.isKeyed && !signal?.aborted && runtime.grants.draw(request)) return { outcome: "held" }
  const placing = admit(runtime, request)
  const hold = { id: request.id, accountId: request.actor.accountId }
  try {
    return await (signal ? orAbort(placing, signal) : placing)
  } catch (error) {
    const released = placing.then(
      () => releaseHold(runtime, hold),
      async (failure) => {
        await releaseHold(runtime, hold)
        // Without a reply, the statement may still be waiting for a lock, and place the hold later.
        if (!(failure instanceof DatabaseError)) void releaseLate(runtime, hold)
      },
    )
    if (!signal?.aborted) await released
    throw error
  }
}

const LATE_RELEASES_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000]

/** Releases a hold that may be placed within the next minute. Stops once it found the hold. */
async function releaseLate(runtime: Runtime, hold: HoldRef): Promise<void> {
  for (const delayMs of LATE_RELEASES_MS) {
    await sleep(delayMs, undefined, { ref: false })
    const state = await release(runtime, hold).catch(() => "unknown")
    if (state !== "unknown") return
  }
}

/**
 * Tries once to release a hold, charge its tokens × price and write the ledger entry, in one durable transaction. Idempotent:
 * a hold that has ended keeps its state, which is returned. With `key`, the same transaction marks the key as charged, or
 * returns 'charged_before' and charges nothing.
 */
export function capture(
  runtime: Runtime,
  hold: HoldRef,
  facts: ChargeFacts,
  key: IdempotencyKey | null = null,
): Promise<Resolution> {
  const { captures, capturesOnce, grants } = runtime
  if (key) return capturesOnce.submit({ hold, facts, key })
  const draw = grants.drawOf(hold.id)
  return draw ? captureDrawn(runtime, draw, facts) : captures.submit({ hold, facts })
}

/** Captures a request that drew from a grant. If the grant cannot pay, the request gets a hold of its own first. */
async function captureDrawn(runtime: Runtime, draw: Draw, facts: ChargeFacts): Promise<Resolution> {
  const { captures, grants } = runtime
  const state = await chargeDrawn(runtime, draw, facts)
  if (state !== "ended") return state
  const { request, grant } = draw
  const hold = { id: request.id, accountId: request.actor.accountId }
  void grants.end(grant)
  if (draw.isGivenUp) return "voided"
  const { outcome } = await admit(runtime, request)
  // Like a hold that ended before its capture.
  if (outcome !== "held") return "expired"
  grants.lost(draw)
  // If the request failed while its hold was placed, nobody else releases it.
  return draw.isGivenUp ? release(runtime, hold) : captures.submit({ hold, facts })
}

const FIRST_DELAY_MS = 25
const SETTLE_MS = 10_000

/** Returns false for a SQLSTATE class that means that a retry cannot succeed. Other failures, even deadlocks, are temporary. */
const isTemporary = (error: unknown): boolean =>
  !(error instanceof DatabaseError && /^(22|23|42|P0)/.test(error.code ?? ""))

/** Retries `attempt` until the database replies or refuses, or `signal` aborts. */
async function untilReply<Result>(attempt: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, 1_000)) {
    try {
      return await orAbort(attempt(), signal)
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error
      await sleep(delayMs, undefined, { signal }).catch(() => {})
    }
  }
}

function captureFailure(state: Resolution): ServiceError {
  const cause = new Error(`the capture returned ${state}`)
  // The client's next attempt receives an answer for the charge that exists.
  if (state === "charged_before") return new ServiceError("capacity_exceeded", { retryAfterSeconds: 1, cause })
  return new ServiceError(state === "expired" ? "upstream_timeout" : "internal_error", { cause })
}

/**
 * Captures a hold, with retries after temporary failures. Resolves when the request was charged, and otherwise rejects. Without a reply
 * when `signal` aborts, it checks for up to 10 s more. If that fails too, it rejects, and reverses a charge once the database is reachable,
 * unless this process ends first or a retry with `key` gets the answer.
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
    state = await untilReply(() => capture(runtime, hold, facts, key), signal)
    if (state === "captured") return
    await releaseHold(runtime, hold)
    failure = captureFailure(state)
  } catch (error) {
    // Releasing a hold that was captured after all changes nothing and returns 'captured'.
    state = await untilReply(() => release(runtime, hold), AbortSignal.timeout(SETTLE_MS)).catch(() => null)
    failure = signal.aborted ? signal.reason : error
  }
  if (state === "captured") return
  if (state === null) void undoWhenReachable(runtime, hold, key !== null)
  throw failure
}

/** Ends an open hold without a charge. Returns the hold's state. 'expired' ends only a hold whose time is over. Idempotent. */
export function release(runtime: Runtime, hold: HoldRef, how: "voided" | "expired" = "voided"): Promise<Resolution> {
  const { grants, releases } = runtime
  const draw = grants.drawOf(hold.id)
  return draw ? releaseDrawn(runtime, draw) : releases.submit({ hold, how })
}

const RELEASE_WITHIN_MS = 5_000

/** Releases the hold of a failed request. Never rejects: if it fails, the hold expires after 150 s. */
export async function releaseHold(runtime: Runtime, hold: HoldRef): Promise<void> {
  await orAbort(release(runtime, hold), AbortSignal.timeout(RELEASE_WITHIN_MS)).catch((cause) => {
    const fields = { event: "hold.release_failed", requestId: publicId("req", hold.id), cause }
    runtime.log.error("A hold was not released and will expire", fields)
  })
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
