/**
 * The life of a hold, from top to bottom.
 *
 *   placeHold ──► held ──► charge      ──► captured   the request is answered and paid
 *                     ├──► releaseHold ──► voided     the request failed: nothing is paid
 *                     └──► sweepHolds  ──► expired    a crash left it open for 150 s: nothing is paid
 *
 * A hold reserves the maximum cost of a request against its key's spend limit and its account's balance while the engine
 * works. A hold ends exactly once. No call waits for the engine inside a transaction. A lost reply of the database never leaves
 * a charge without an answer: the functions below find out what happened, or undo it.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { DatabaseError } from "pg"
import type { Payer } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { type Pico, pico } from "@/lib/shared/money"
import { Coalescer } from "./coalescer"
import { postEntry } from "./post-entry"

export interface HoldRequest {
  /** The request's own UUID. Placing the same id again changes nothing. */
  id: string
  actor: Payer
  modelId: string
  pricePico: Pico
  maxTokens: number
}

export type HoldOutcome =
  | { outcome: "held" }
  | { outcome: "revoked" | "expired_key" }
  | { outcome: "key_limit"; limitPico: Pico; resetsAt: Date | null }
  | { outcome: "insufficient"; requiredPico: Pico; availablePico: Pico }

/** What a ledger entry records of a request besides its cost. It has no content. */
export interface ChargeFacts {
  tokens: number
  latencyMs: number
  /** How many questions of each type were answered, such as `{ noul: 2 }`. */
  questionCounts: Record<string, number>
}

/** The state that a hold now has; 'exceeds' and 'unknown' describe a call that changed nothing. */
export type Resolution = "captured" | "voided" | "expired" | "held" | "exceeds" | "unknown"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    holds: Coalescer<HoldRequest, HoldOutcome>
    captures: Coalescer<{ holdId: string; facts: ChargeFacts }, Resolution>
  }
}

type HoldRow = Record<"required_pico" | "available_pico" | "limit_pico", string | null> & {
  outcome: HoldOutcome["outcome"]
  resets_at: Date | null
}

function outcomeOf(row: HoldRow): HoldOutcome {
  const { outcome } = row
  if (outcome === "key_limit") return { outcome, limitPico: pico(row.limit_pico ?? 0), resetsAt: row.resets_at }
  if (outcome === "insufficient")
    return { outcome, requiredPico: pico(row.required_pico ?? 0), availablePico: pico(row.available_pico ?? 0) }
  return { outcome }
}

async function placeBatch(requests: HoldRequest[]): Promise<HoldOutcome[]> {
  const { rows } = await runtime().pool.query<HoldRow>({
    name: "place-holds",
    text: "SELECT * FROM place_holds($1, $2, $3, $4, $5, $6)",
    values: [
      requests.map(({ id }) => id),
      requests.map(({ actor }) => actor.accountId),
      requests.map(({ actor }) => actor.keyId),
      requests.map(({ modelId }) => modelId),
      requests.map(({ pricePico }) => pricePico),
      requests.map(({ maxTokens }) => maxTokens),
    ],
  })
  return rows.map(outcomeOf)
}

/**
 * Reserves price × maximum tokens in one round trip, which concurrent requests share. Rejects with the abort's reason, or when
 * the reply is lost. Then the hold is released, if need be as soon as it has been placed.
 */
export async function placeHold(request: HoldRequest, signal?: AbortSignal): Promise<HoldOutcome> {
  const placing = runtime().holds.ask(request)
  try {
    return await (signal ? orAbort(placing, signal) : placing)
  } catch (error) {
    const release = () => releaseHold(request.id)
    const released = placing.then(release, release)
    if (!signal?.aborted) await released
    throw error
  }
}

async function captureBatch(captures: { holdId: string; facts: ChargeFacts }[]): Promise<Resolution[]> {
  const { rows } = await runtime().pool.query<{ state: Resolution }>({
    name: "charge-holds",
    text: "SELECT state FROM charge_holds($1, $2, $3, $4)",
    values: [
      captures.map(({ holdId }) => holdId),
      captures.map(({ facts }) => facts.tokens),
      captures.map(({ facts }) => facts.latencyMs),
      captures.map(({ facts }) => JSON.stringify(facts.questionCounts)),
    ],
  })
  return rows.map(({ state }) => state)
}

/** Returns the batches of one process on their way to the database. */
export const createHoldCalls = () => ({ holds: new Coalescer(placeBatch), captures: new Coalescer(captureBatch) })

/**
 * Tries once to release a hold, charge its tokens × price and write the ledger entry, in one durable transaction. Idempotent:
 * a hold that has ended keeps its state, which is returned.
 */
export const capture = (holdId: string, facts: ChargeFacts): Promise<Resolution> =>
  runtime().captures.ask({ holdId, facts })

const FIRST_DELAY_MS = 25
const SETTLE_MS = 10_000

/** False for a statement that will never succeed, by its SQLSTATE class. Any other failure may pass, a deadlock too. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof DatabaseError && /^(22|23|42|P0)/.test(error.code ?? ""))

/** Retries `attempt` until the database replies or refuses, or `signal` aborts. */
async function untilReply<Result>(attempt: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, 1_000)) {
    try {
      return await orAbort(attempt(), signal)
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error
      await sleep(delayMs, undefined, { signal }).catch(() => {})
    }
  }
}

/**
 * Captures a hold, retrying while the connection to the database breaks. Resolves only when the request is charged and rejects
 * only when it is not. If `signal` aborts while a reply is missing, this takes up to 10 s more to find out. If that fails too,
 * it rejects, and a charge that was made is undone once the database is reachable.
 */
export async function charge(holdId: string, facts: ChargeFacts, signal: AbortSignal): Promise<void> {
  let state: Resolution | null
  let failure: unknown
  try {
    state = await untilReply(() => capture(holdId, facts), signal)
    if (state !== "captured") await releaseHold(holdId)
    failure = new ServiceError(state === "expired" ? "upstream_timeout" : "internal_error", {
      cause: new Error(`the capture returned ${state}`),
    })
  } catch (error) {
    // Releasing a hold that was captured after all changes nothing and returns 'captured'.
    state = await untilReply(() => release(holdId), AbortSignal.timeout(SETTLE_MS)).catch(() => null)
    failure = signal.aborted ? signal.reason : error
  }
  if (state === "captured") return
  if (state === null) void undoWhenReachable(holdId)
  throw failure
}

const RELEASE_WITHIN_MS = 5_000

/** Ends a hold without a charge. 'expired' only ends a hold whose time is over. Idempotent: returns the state it then has. */
export async function release(holdId: string, how: "voided" | "expired" = "voided"): Promise<Resolution> {
  const { rows } = await runtime().pool.query<{ state: Resolution }>({
    name: "release",
    text: "SELECT release($1, $2) AS state",
    values: [holdId, how],
  })
  return rows[0]?.state ?? "unknown"
}

/** Releases the hold of a failed request. Never rejects: if it fails, the hold expires after 150 s. */
export async function releaseHold(holdId: string): Promise<void> {
  await orAbort(release(holdId), AbortSignal.timeout(RELEASE_WITHIN_MS)).catch((cause) => {
    runtime().log.error("could not release a hold; it will expire", { requestId: publicId("req", holdId), cause })
  })
}

const SWEEP_BATCH = 500

/** Releases holds that a crash left open past their time, one per transaction. Returns how many. Any instance may run it. */
export async function sweepHolds(): Promise<number> {
  let released = 0
  while (true) {
    const { rows } = await runtime().pool.query<{ id: string }>(
      "SELECT id FROM hold WHERE state = 'held' AND expires_at <= ledger_now() ORDER BY expires_at LIMIT $1",
      [SWEEP_BATCH],
    )
    for (const { id } of rows) if ((await release(id, "expired")) === "expired") released++
    if (rows.length < SWEEP_BATCH) return released
  }
}

const UNDO_EVERY_MS = 1_000

/** Makes sure that a hold costs nothing: releases it or, if it was captured, credits the charge. Returns whether it did. */
async function undoCharge(holdId: string): Promise<boolean> {
  if ((await release(holdId)) !== "captured") return false
  const { pool } = runtime()
  const { rows } = await pool.query<{ account_id: string; amount_pico: string }>(
    "SELECT account_id, amount_pico FROM ledger_entry WHERE hold_id = $1",
    [holdId],
  )
  const [entry] = rows
  if (!entry) throw new Error("a captured hold must have a ledger entry")
  await postEntry(pool, {
    accountId: entry.account_id,
    kind: "credit",
    amountPico: pico(-BigInt(entry.amount_pico)),
    source: `undo:${holdId}`,
    note: "A charge whose answer was not sent",
  })
  return true
}

async function undoWhenReachable(holdId: string): Promise<void> {
  const requestId = publicId("req", holdId)
  runtime().log.error("could not find out whether a failed request was charged; a charge will be undone", { requestId })
  while (true) {
    await sleep(UNDO_EVERY_MS, undefined, { ref: false })
    try {
      const isUndone = await undoCharge(holdId)
      return runtime().log.warn(
        isUndone ? "undid the charge of a failed request" : "the failed request was not charged",
        {
          requestId,
        },
      )
    } catch {
      // The database is still unreachable.
    }
  }
}

/** Settles like `work`, or rejects with the abort's reason as soon as `signal` aborts. `work` itself goes on. */
function orAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener("abort", onAbort)
    if (signal.aborted) onAbort()
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort))
  })
}
