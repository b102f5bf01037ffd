import { type Runtime, runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { ageMs, type Draw } from "./grant"
import {
  type ChargeFacts,
  type HoldOutcome,
  type HoldRef,
  type HoldRequest,
  type Resolution,
  tagsText,
} from "./held-request"
import type { IdempotencyKey } from "./idempotency-claims"
import { StatementBatcher } from "./statement-batcher"

/** An outcome, and whether grants hold credit that a refused request may need. */
type Admission = HoldOutcome & { hasGrants?: true }

interface Capture {
  hold: HoldRef
  facts: ChargeFacts
}

interface CaptureOnce extends Capture {
  key: IdempotencyKey
}

/** 'ended' means that the grant has ended or has too little left, and the request has no hold. Nothing was charged. */
export type DrawnResolution = Resolution | "ended"

interface DrawnCapture {
  draw: Draw
  facts: ChargeFacts
}

interface Release {
  hold: HoldRef
  how: "voided" | "expired"
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    holds: StatementBatcher<HoldRequest, Admission>
    captures: StatementBatcher<Capture, Resolution>
    capturesOnce: StatementBatcher<CaptureOnce, Resolution>
    drawnCaptures: StatementBatcher<DrawnCapture, DrawnResolution>
    releases: StatementBatcher<Release, Resolution>
    drawnReleases: StatementBatcher<Draw, Resolution>
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

async function placeBatch({ pool, writes }: Runtime, requests: HoldRequest[]): Promise<Admission[]> {
  const statement = {
    name: "place-holds",
    text: "SELECT * FROM admit_holds($1, $2, $3, $4, $5, $6, $7, $8)",
    values: [
      requests.map(({ id }) => id),
      requests.map(({ actor }) => actor.accountId),
      requests.map(({ actor }) => actor.keyId),
      requests.map(({ modelId }) => modelId),
      requests.map(({ pricePico }) => pricePico),
      requests.map(({ maxTokens }) => maxTokens),
      requests.map(({ isBound = false }) => isBound),
      requests.map(tagsText),
    ],
  }
  const { rows } = await writes.track(() => pool.query<HoldRow>(statement))
  return rows.map((row) => (row.has_grants ? { ...outcomeOf(row), hasGrants: true } : outcomeOf(row)))
}

const chargeValues = (captures: Capture[]) => [
  captures.map(({ hold }) => hold.id),
  captures.map(({ facts }) => facts.tokens),
  captures.map(({ facts }) => facts.latencyMs),
  captures.map(({ facts }) => JSON.stringify(facts.questionCounts)),
]

async function captureBatch({ pool, writes }: Runtime, captures: Capture[]): Promise<Resolution[]> {
  const values = chargeValues(captures)
  const statement = { name: "charge-holds", text: "SELECT state FROM charge_holds($1, $2, $3, $4)", values }
  const { rows } = await writes.track(() => pool.query<{ state: Resolution }>(statement))
  return rows.map(({ state }) => state)
}

async function captureOnceBatch({ pool, writes }: Runtime, captures: CaptureOnce[]): Promise<Resolution[]> {
  const keys = [captures.map(({ key }) => key.keySha256), captures.map(({ key }) => key.bodyHmacs[0])]
  const text = "SELECT state FROM charge_holds_once($1, $2, $3, $4, $5, $6)"
  const statement = { name: "charge-holds-once", text, values: [...chargeValues(captures), ...keys] }
  const { rows } = await writes.track(() => pool.query<{ state: Resolution }>(statement))
  return rows.map(({ state }) => state)
}

const CHARGE = "SELECT state FROM charge_drawn($1, $2, $3, $4, $5, $6, $7, $8, $9)"

async function chargeDrawnBatch({ pool, writes }: Runtime, captures: DrawnCapture[]): Promise<DrawnResolution[]> {
  const values = [
    captures.map(({ draw }) => draw.grant.id),
    captures.map(({ draw }) => draw.request.id),
    captures.map(({ draw }) => draw.request.modelId),
    captures.map(({ draw }) => draw.request.pricePico),
    captures.map(({ draw }) => draw.request.maxTokens),
    captures.map(({ facts }) => facts.tokens),
    captures.map(({ facts }) => facts.latencyMs),
    captures.map(({ facts }) => JSON.stringify(facts.questionCounts)),
    captures.map(({ draw }) => ageMs(draw)),
  ]
  const statement = { name: "charge-drawn", text: CHARGE, values }
  const { rows } = await writes.track(() => pool.query<{ state: DrawnResolution }>(statement))
  return rows.map(({ state }) => state)
}

/**
 * Releases `items` by a statement that gets them sorted by account, and returns the states in the order of `items`. All batches lock
 * accounts in the order of their ids, so they never deadlock.
 */
async function inAccountOrder<Item>(
  items: Item[],
  accountOf: (item: Item) => string,
  release: (sorted: Item[]) => Promise<{ rows: { state: Resolution }[] }>,
): Promise<Resolution[]> {
  const sorted = [...items.entries()].sort(([, a], [, b]) => (accountOf(a) < accountOf(b) ? -1 : 1))
  const { rows } = await release(sorted.map(([, item]) => item))
  const states = new Map(sorted.map(([at], position) => [at, rows[position]?.state]))
  return items.map((_, at) => states.get(at) ?? "unknown")
}

const releaseBatch = ({ pool }: Runtime, releases: Release[]): Promise<Resolution[]> =>
  inAccountOrder(
    releases,
    ({ hold }) => hold.accountId,
    (sorted) =>
      pool.query({
        name: "release",
        text: "SELECT release(id, how) AS state FROM unnest($1::uuid[], $2::text[]) AS r(id, how)",
        values: [sorted.map(({ hold }) => hold.id), sorted.map(({ how }) => how)],
      }),
  )

const releaseDrawnBatch = ({ pool }: Runtime, draws: Draw[]): Promise<Resolution[]> =>
  inAccountOrder(
    draws,
    ({ request }) => request.actor.accountId,
    (sorted) =>
      pool.query({
        name: "release-drawn",
        text: `SELECT release_drawn(id, grant_id, model, price, max_tokens) AS state
          FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[]) AS d(id, grant_id, model, price, max_tokens)`,
        values: [
          sorted.map(({ request }) => request.id),
          sorted.map(({ grant }) => grant.id),
          sorted.map(({ request }) => request.modelId),
          sorted.map(({ request }) => request.pricePico),
          sorted.map(({ request }) => request.maxTokens),
        ],
      }),
  )

const ofHold = ({ hold }: { hold: HoldRef }) => hold.accountId
const ofRequest = ({ actor }: HoldRequest) => actor.accountId

/** Creates the queues in which a process batches its calls of the SQL functions above. */
export const createHoldCalls = () => ({
  holds: new StatementBatcher((batch: HoldRequest[]) => placeBatch(runtime(), batch), ofRequest),
  captures: new StatementBatcher((batch: Capture[]) => captureBatch(runtime(), batch), ofHold),
  capturesOnce: new StatementBatcher((batch: CaptureOnce[]) => captureOnceBatch(runtime(), batch), ofHold),
  drawnCaptures: new StatementBatcher(
    (batch: DrawnCapture[]) => chargeDrawnBatch(runtime(), batch),
    ({ draw }) => ofRequest(draw.request),
  ),
  releases: new StatementBatcher((batch: Release[]) => releaseBatch(runtime(), batch), ofHold),
  drawnReleases: new StatementBatcher(
    (batch: Draw[]) => releaseDrawnBatch(runtime(), batch),
    ({ request }) => ofRequest(request),
  ),
})
