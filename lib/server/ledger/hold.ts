/**
 * The life of a hold, from top to bottom.
 *
 *   placeHold ──► held ──► charge      ──► captured   the request is answered and paid (charge.ts)
 *                     ├──► releaseHold ──► voided     the request failed: nothing is paid
 *                     └──► sweepHolds  ──► expired    a crash left it open for 150 s: nothing is paid (sweep-holds.ts)
 *
 * A hold reserves the maximum cost of a request against its key's spend limit and its account's balance while the engine
 * works. A hold ends exactly once. No call waits for the engine inside a transaction. If a reply of the database is lost, charge.ts
 * finds out whether the request was charged, and reverses the charge of a failed request.
 *
 * Requests of a busy key draw on a grant instead (grants.ts, drawn-charges.ts). They have no hold until they are charged. The SQL
 * statements, which concurrent requests share, are in hold-statements.ts.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { DatabaseError } from "pg"
import { publicId } from "@/lib/server/platform/ids"
import { orAbort } from "@/lib/server/platform/or-abort"
import type { Runtime } from "@/lib/server/platform/runtime"
import { chargeDrawn, releaseDrawn } from "./drawn-charges"
import type { Draw } from "./grant"
import type { ChargeFacts, HoldOutcome, HoldRef, HoldRequest, Resolution } from "./held-request"
import type { IdempotencyKey } from "./idempotency-claims"
import { withinMs } from "./within-ms"

/** Places a hold. Before a refusal is final, recalls the account's grants if their credit may be what is missing, and tries again. */
async function admit({ holds, grants }: Runtime, request: HoldRequest): Promise<HoldOutcome> {
  const { hasGrants, ...first } = await holds.submit(request)
  if (!hasGrants) return first
  await grants.recall(request.actor.accountId)
  const { hasGrants: _, ...second } = await holds.submit(request)
  return second
}

/** So that a request that loses the database ends within 10 s. */
const PLACE_MS = 6_000

/**
 * Reserves price × maximum tokens: from this process's grant for the key, else by a statement, which concurrent requests share. A grant
 * pays for bounds too. Rejects
 * with the abort's reason, when the statement fails, or without a reply within 6 s. The hold is then released, even if the database
 * places it up to a minute later. Where that fails, it expires after 150 s.
 */
export async function placeHold(
  runtime: Runtime,
  request: HoldRequest,
  signal = new AbortController().signal,
): Promise<HoldOutcome> {
  if (!request.isKeyed && !signal.aborted && runtime.grants.draw(request)) return { outcome: "held" }
  const placing = admit(runtime, request)
  return withinMs(PLACE_MS, signal, async (trying) => {
    try {
      return await orAbort(placing, trying)
    } catch (error) {
      const released = releasePlaced(runtime, request, placing)
      await orAbort(released, trying).catch(() => {})
      throw error
    }
  })
}

/** Releases a hold whose request failed while it was placed. */
async function releasePlaced(runtime: Runtime, request: HoldRequest, placing: Promise<HoldOutcome>): Promise<void> {
  const hold = { id: request.id, accountId: request.actor.accountId }
  const failure = await placing.then(
    () => null,
    (error: unknown) => error,
  )
  await releaseHold(runtime, hold)
  // Without a reply, the statement may still be waiting for a lock, and place the hold later.
  if (failure !== null && !(failure instanceof DatabaseError)) void releaseLate(runtime, hold)
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
  // What it costs is known by now.
  const { outcome } = await admit(runtime, { ...request, maxTokens: facts.tokens, isBound: false })
  // Like a hold that ended before its capture.
  if (outcome !== "held") return "expired"
  grants.lost(draw)
  // If the request failed while its hold was placed, nobody else releases it.
  return draw.isGivenUp ? release(runtime, hold) : captures.submit({ hold, facts })
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
  const releasing = release(runtime, hold)
  await withinMs(RELEASE_WITHIN_MS, null, (signal) => orAbort(releasing, signal)).catch((cause) => {
    const fields = { event: "hold.release_failed", requestId: publicId("req", hold.id), cause }
    runtime.log.error("A hold was not released and will expire", fields)
  })
}
