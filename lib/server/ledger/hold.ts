/**
 * The life of a hold, from top to bottom.
 *
 *   placeHold ──► held ──► charge      ──► captured   the request is answered and paid
 *                     ├──► releaseHold ──► voided     the request failed: nothing is paid
 *                     └──► sweepHolds  ──► expired    a crash left it open for 150 s: nothing is paid
 *
 * A hold reserves the maximum cost of a request against its key's spend limit and its account's balance while the engine
 * works. A hold ends exactly once. No call waits for the engine inside a transaction. If a reply of the database is lost, the
 * functions below find out whether the request was charged. A charge whose request failed is reversed.
 *
 * Requests of a busy key draw on a grant instead (grants.ts). They have no hold until they are charged.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { DatabaseError } from "pg"
import { orAbort } from "@/lib/server/platform/or-abort"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { type Pico, pico } from "@/lib/shared/money"
import { chargeDrawn, chargeDrawnBatch, releaseDrawnBatch } from "./drawn-charges"
import type { Draw } from "./grant"
import type { ChargeFacts, HoldRef, HoldRequest, Resolution } from "./held-request"
import type { IdempotencyKey } from "./idempotency-claims"
import { release, releaseBatch, releaseHold } from "./release-hold"
import { StatementBatcher } from "./statement-batcher"
import { undoWhenReachable } from "./undo-charge"

export type HoldOutcome =
  | { outcome: "held" }
  | { outcome: "revoked" | "expired_key" }
  | { outcome: "key_limit"; limitPico: Pico; resetsAt: Date | null }
  | { outcome: "insufficient"; requiredPico: Pico; availablePico: Pico }

/** An outcome, and whether grants hold credit that a refused request may need. */
type Admission = HoldOutcome & { hasGrants?: true }

interface Capture {
  hold: HoldRef
  facts: ChargeFacts
}

interface CaptureOnce extends Capture {
  key: IdempotencyKey
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    holds: StatementBatcher<HoldRequest, Admission>
    captures: StatementBatcher<Capture, Resolution>
    capturesOnce: StatementBatcher<CaptureOnce, Resolution>
  }
}

type HoldRow = Record<"required_pico" | "available_pico" | "limit_pico", string | null> & {
  outcome: HoldOutcome["outcome"]
  resets_at: Date | null
  has_grants: boolean
}

function outcomeOf(row: HoldRow): HoldOutcome {
  const { outcome } = row
  if (outcome === "key_limit") return { outcome, limitPico: pico(row.limit_pico ?? 0), resetsAt: row.resets_at }
  if (outcome !== "insufficient") return { outcome }
  return { outcome, requiredPico: pico(row.required_pico ?? 0), availablePico: pico(row.available_pico ?? 0) }
}

async function placeBatch(requests: HoldRequest[]): Promise<Admission[]> {
  const { pool, writes } = runtime()
  const statement = {
    name: "place-holds",
    text: "SELECT * FROM admit_holds($1, $2, $3, $4, $5, $6)",
    values: [
      requests.map(({ id }) => id),
      requests.map(({ actor }) => actor.accountId),
      requests.map(({ actor }) => actor.keyId),
      requests.map(({ modelId }) => modelId),
      requests.map(({ pricePico }) => pricePico),
      requests.map(({ maxTokens }) => maxTokens),
    ],
  }
  const { rows } = await writes.track(() => pool.query<HoldRow>(statement))
  return rows.map((row) => (row.has_grants ? { ...outcomeOf(row), hasGrants: true } : outcomeOf(row)))
}

/** Places a hold. Before a refusal is final, what is unused of the account's grants is given back. */
async function admit(request: HoldRequest): Promise<HoldOutcome> {
  const { holds, grants } = runtime()
  const { hasGrants, ...first } = await holds.submit(request)
  if (!hasGrants) return first
  await grants.recall(request.actor.accountId)
  const { hasGrants: _, ...second } = await holds.submit(request)
  return second
}

/**
 * Reserves price × maximum tokens: from this process's grant for the key, else in one round trip, which concurrent requests share. Rejects
 * with the abort's reason, or when the reply is lost. In both cases the hold is released, even if the database places it only later.
 */
export async function placeHold(request: HoldRequest, signal?: AbortSignal): Promise<HoldOutcome> {
  if (!request.isKeyed && !signal?.aborted && runtime().grants.draw(request)) return { outcome: "held" }
  const placing = admit(request)
  const hold = { id: request.id, accountId: request.actor.accountId }
  try {
    return await (signal ? orAbort(placing, signal) : placing)
  } catch (error) {
    const released = placing.then(
      () => releaseHold(hold),
      async (failure) => {
        await releaseHold(hold)
        // Without a reply, the statement may still be waiting for a lock, and place the hold later.
        if (!(failure instanceof DatabaseError)) void releaseLate(hold)
      },
    )
    if (!signal?.aborted) await released
    throw error
  }
}

const LATE_RELEASES_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000]

/** Releases a hold that may be placed within the next minute. Stops once it found the hold. */
async function releaseLate(hold: HoldRef): Promise<void> {
  for (const delayMs of LATE_RELEASES_MS) {
    await sleep(delayMs, undefined, { ref: false })
    const state = await release(hold).catch(() => "unknown")
    if (state !== "unknown") return
  }
}

const chargeValues = (captures: Capture[]) => [
  captures.map(({ hold }) => hold.id),
  captures.map(({ facts }) => facts.tokens),
  captures.map(({ facts }) => facts.latencyMs),
  captures.map(({ facts }) => JSON.stringify(facts.questionCounts)),
]

async function captureBatch(captures: Capture[]): Promise<Resolution[]> {
  const { pool, writes } = runtime()
  const values = chargeValues(captures)
  const statement = { name: "charge-holds", text: "SELECT state FROM charge_holds($1, $2, $3, $4)", values }
  const { rows } = await writes.track(() => pool.query<{ state: Resolution }>(statement))
  return rows.map(({ state }) => state)
}

async function captureOnceBatch(captures: CaptureOnce[]): Promise<Resolution[]> {
  const { pool, writes } = runtime()
  const keys = [captures.map(({ key }) => key.keySha256), captures.map(({ key }) => key.bodyHmacs[0])]
  const text = "SELECT state FROM charge_holds_once($1, $2, $3, $4, $5, $6)"
  const statement = { name: "charge-holds-once", text, values: [...chargeValues(captures), ...keys] }
  const { rows } = await writes.track(() => pool.query<{ state: Resolution }>(statement))
  return rows.map(({ state }) => state)
}

/** Creates the queues in which a process batches its calls of `place_holds`, `charge_holds`, `charge_holds_once` and `release`. */
export const createHoldCalls = () => ({
  holds: new StatementBatcher(placeBatch, ({ actor }) => actor.accountId),
  captures: new StatementBatcher(captureBatch, ({ hold }) => hold.accountId),
  capturesOnce: new StatementBatcher(captureOnceBatch, ({ hold }) => hold.accountId),
  drawnCaptures: new StatementBatcher(chargeDrawnBatch, ({ draw }) => draw.request.actor.accountId),
  releases: new StatementBatcher(releaseBatch, ({ hold }) => hold.accountId),
  drawnReleases: new StatementBatcher(releaseDrawnBatch, ({ request }) => request.actor.accountId),
})

/**
 * Tries once to release a hold, charge its tokens × price and write the ledger entry, in one durable transaction. Idempotent:
 * a hold that has ended keeps its state, which is returned. With `key`, the same transaction marks the key as charged, or
 * returns 'charged_before' and charges nothing.
 */
export function capture(hold: HoldRef, facts: ChargeFacts, key: IdempotencyKey | null = null): Promise<Resolution> {
  const { captures, capturesOnce, grants } = runtime()
  if (key) return capturesOnce.submit({ hold, facts, key })
  const draw = grants.drawOf(hold.id)
  return draw ? captureDrawn(draw, facts) : captures.submit({ hold, facts })
}

/** Captures a request that drew from a grant. If the grant cannot pay, the request gets a hold of its own first. */
async function captureDrawn(draw: Draw, facts: ChargeFacts): Promise<Resolution> {
  const { captures, grants } = runtime()
  const state = await chargeDrawn(draw, facts)
  if (state !== "ended") return state
  const { request, grant } = draw
  const hold = { id: request.id, accountId: request.actor.accountId }
  void grants.end(grant)
  if (draw.isGivenUp) return "voided"
  const { outcome } = await admit(request)
  // Like a hold that ended before its capture.
  if (outcome !== "held") return "expired"
  grants.lost(draw)
  // The request failed while its hold was placed, so nobody else releases it.
  return draw.isGivenUp ? release(hold) : captures.submit({ hold, facts })
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
 * Captures a hold, retrying while the connection to the database breaks. Resolves when the request was charged and rejects
 * when it was not. If `signal` aborts before the database replied, it checks for up to 10 s more. If that check fails too, it
 * rejects. A charge that was made is then reversed once the database is reachable.
 * With `key`, it rejects with `capacity_exceeded` if the key was charged for another request.
 */
export async function charge(
  hold: HoldRef,
  facts: ChargeFacts,
  signal: AbortSignal,
  key: IdempotencyKey | null = null,
): Promise<void> {
  let state: Resolution | null
  let failure: unknown
  try {
    state = await untilReply(() => capture(hold, facts, key), signal)
    if (state === "captured") return
    await releaseHold(hold)
    failure = captureFailure(state)
  } catch (error) {
    // Releasing a hold that was captured after all changes nothing and returns 'captured'.
    state = await untilReply(() => release(hold), AbortSignal.timeout(SETTLE_MS)).catch(() => null)
    failure = signal.aborted ? signal.reason : error
  }
  if (state === "captured") return
  if (state === null) void undoWhenReachable(hold, key !== null)
  throw failure
}
