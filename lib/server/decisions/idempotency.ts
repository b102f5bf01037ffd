import { createHash, createHmac } from "node:crypto"
import { setImmediate, setTimeout as sleep } from "node:timers/promises"
import { releaseHold } from "@/lib/server/ledger/hold"
import {
  type ClaimOutcome,
  type ClaimRow,
  claimKey,
  endClaim,
  type IdempotencyKey,
  type KeyedCharge,
  keepClaim,
  takeCharges,
} from "@/lib/server/ledger/idempotency-claims"
import type { Payer } from "@/lib/server/platform/actor"
import { acceptedSecrets } from "@/lib/server/platform/auth-secret"
import { idOfPart } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"

/** The header, as errors name it in `param`. */
const IDEMPOTENCY_KEY = "Idempotency-Key"

const FORM = /^[A-Za-z0-9_-]{1,64}$/

/** How many bytes of a body are hashed before other requests are served. */
const SLICE_BYTES = 256 * 1024

/** How long a request waits for another one with its key before it gets a 429. */
const WAIT_MS = 3_000
const FIRST_DELAY_MS = 25
const MAX_DELAY_MS = 400

interface KeyedCall {
  requestId: string
  actor: Payer
  signal: AbortSignal
}

const invalidKey = (message: string) => new ServiceError("invalid_request", { param: IDEMPOTENCY_KEY, message })

async function sha256Of(body: Buffer): Promise<Buffer> {
  const hash = createHash("sha256")
  for (let at = 0; at < body.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate()
    hash.update(body.subarray(at, at + SLICE_BYTES))
  }
  return hash.digest()
}

/**
 * Hashes the value of the header and the body. Two bodies are the same when their bytes are equal. Returns null without the
 * header, and "malformed" when its value is not 1 to 64 characters of A-Z, a-z, 0-9, `_` and `-`.
 */
export async function hashKey(
  { env }: Runtime,
  value: string | undefined,
  { accountId }: Pick<Payer, "accountId">,
  body: Buffer,
): Promise<IdempotencyKey | "malformed" | null> {
  if (value === undefined) return null
  if (!FORM.test(value)) return "malformed"
  const digest = await sha256Of(body)
  const bodyHmacs = acceptedSecrets(env).map((secret) =>
    createHmac("sha256", secret).update(`idempotency ${accountId} `).update(digest).digest(),
  )
  const keySha256 = createHash("sha256").update(`${accountId} ${value}`).digest()
  return { accountId, keySha256, bodyHmacs }
}

/** Throws `invalid_request` for a malformed key. */
export function requireWellFormed(key: Awaited<ReturnType<typeof hashKey>>): IdempotencyKey | null {
  if (key === "malformed") throw invalidKey("The key must have 1 to 64 letters, digits, underscores or hyphens.")
  return key
}

const REFUSALS: Record<Exclude<ClaimOutcome, "claimed" | "charged">, () => ServiceError> = {
  running: () =>
    new ServiceError("capacity_exceeded", {
      message: "A request with this Idempotency-Key is still being answered. Wait for Retry-After seconds.",
      retryAfterSeconds: 1,
    }),
  other_body: () => invalidKey("This key was used with another body. Use a new key for each request."),
  used_up: () => invalidKey("The answer for this key was computed 5 times after its charge. Use a new key."),
  revoked: () => new ServiceError("invalid_api_key"),
}

/** Claims the key. Waits up to three seconds while another request is being answered with it. */
async function claim(
  runtime: Runtime,
  key: IdempotencyKey,
  { actor, requestId, signal }: KeyedCall,
): Promise<ClaimRow> {
  const until = performance.now() + WAIT_MS
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    const claimed = await claimKey(runtime, key, actor.keyId, requestId)
    if (claimed.outcome !== "running" || performance.now() + delayMs > until) return claimed
    await sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/**
 * Claims the key for a request. Throws `invalid_request` for another body and after 5 computations, `capacity_exceeded` while another
 * request is being answered, and `invalid_api_key` for a revoked API key.
 */
async function claimOrRefuse(runtime: Runtime, key: IdempotencyKey, call: KeyedCall): Promise<ClaimRow> {
  // A claim whose reply was lost would otherwise keep a retry waiting for its lease.
  const claimed = await claim(runtime, key, call).catch(async (error) => {
    await endClaim(runtime, key, call.requestId, true)
    throw error
  })
  const { outcome } = claimed
  if (outcome !== "claimed" && outcome !== "charged") throw REFUSALS[outcome]()
  return claimed
}

/**
 * Runs `work` while no other request with this key runs. Throws as `claimOrRefuse` does. When `work` fails, its computation does not
 * count, unless the client has left. `onDone` ends the claim when `work` succeeds.
 */
async function whileClaimed<Result>(
  runtime: Runtime,
  key: IdempotencyKey,
  call: KeyedCall,
  work: (claimed: ClaimRow) => Promise<Result>,
  onDone: (claimed: ClaimRow, result: Result) => Promise<void>,
): Promise<Result> {
  const claimed = await claimOrRefuse(runtime, key, call)
  try {
    const result = await work(claimed)
    await onDone(claimed, result)
    return result
  } catch (error) {
    // A client that left may have caused all of the work, so the computation counts.
    const hasLeft = call.signal.aborted && !(call.signal.reason instanceof ServiceError)
    await endClaim(runtime, key, call.requestId, !hasLeft)
    throw error
  }
}

/** Runs `work` as `whileClaimed` does. `work` receives the pinned id of the key's charge, or null when nothing was charged yet. */
export const withKey = <Result>(
  runtime: Runtime,
  key: IdempotencyKey,
  call: KeyedCall,
  work: (chargedModel: string | null) => Promise<Result>,
): Promise<Result> =>
  whileClaimed(
    runtime,
    key,
    call,
    async ({ model, previous }) => {
      // The process of the previous request crashed or stalled, so that request's hold would reserve money until it expires.
      if (previous) await releaseHold(runtime, { id: previous, accountId: key.accountId })
      return work(model)
    },
    async ({ outcome }) => {
      // A charge has ended the claim in its own transaction.
      if (outcome === "claimed") runtime.claims.end(call.requestId)
      else await endClaim(runtime, key, call.requestId, false)
    },
  )

/** Returns the key under which a state of a batch is charged once. */
export const keyOfState = (key: IdempotencyKey, position: number): IdempotencyKey => ({
  ...key,
  keySha256: createHash("sha256").update(key.keySha256).update(` ${position}`).digest(),
})

/**
 * Runs `work` for a batch of `count` states, as `whileClaimed` does. `work` receives for each state the charge that an earlier request
 * with this key made, or null, and returns one for each state that is charged now. A retry charges only the states that are not.
 */
export const withBatchKey = <Result extends { charges: (KeyedCharge | null)[] }>(
  runtime: Runtime,
  key: IdempotencyKey,
  call: KeyedCall,
  count: number,
  work: (charged: (KeyedCharge | null)[]) => Promise<Result>,
): Promise<Result> =>
  whileClaimed(
    runtime,
    key,
    call,
    async ({ previous }) => {
      const positions = Array.from({ length: count }, (_, i) => i)
      const { accountId } = key
      if (previous)
        await Promise.all(positions.map((i) => releaseHold(runtime, { id: idOfPart(previous, i), accountId })))
      const charged = await takeCharges(
        runtime,
        positions.map((i) => keyOfState(key, i)),
      )
      if (charged === "other_body") throw REFUSALS.other_body()
      return work(charged)
    },
    async ({ outcome }, { charges }) => {
      const charge = charges.find((made) => made !== null)
      if (outcome === "claimed" && charge) await keepClaim(runtime, key, call.requestId, charge)
      else await endClaim(runtime, key, call.requestId, false)
    },
  )
