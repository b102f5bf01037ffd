import { runtime } from "@/lib/server/platform/runtime"
import { cost, pico } from "@/lib/shared/money"
import type { Draw } from "./grant"
import type { ChargeFacts, Resolution } from "./held-request"
import type { StatementBatcher } from "./statement-batcher"

/** 'ended' means that the grant has ended and the request has no hold. Nothing was charged. */
type DrawnResolution = Resolution | "ended"

interface DrawnCapture {
  draw: Draw
  facts: ChargeFacts
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    drawnCaptures: StatementBatcher<DrawnCapture, DrawnResolution>
    drawnReleases: StatementBatcher<Draw, Resolution>
  }
}

const CHARGE = "SELECT state FROM charge_drawn($1, $2, $3, $4, $5, $6, $7, $8)"

export async function chargeDrawnBatch(captures: DrawnCapture[]): Promise<DrawnResolution[]> {
  const { pool, writes } = runtime()
  const values = [
    captures.map(({ draw }) => draw.grant.id),
    captures.map(({ draw }) => draw.request.id),
    captures.map(({ draw }) => draw.request.modelId),
    captures.map(({ draw }) => draw.request.pricePico),
    captures.map(({ draw }) => draw.request.maxTokens),
    captures.map(({ facts }) => facts.tokens),
    captures.map(({ facts }) => facts.latencyMs),
    captures.map(({ facts }) => JSON.stringify(facts.questionCounts)),
  ]
  const statement = { name: "charge-drawn", text: CHARGE, values }
  const { rows } = await writes.track(() => pool.query<{ state: DrawnResolution }>(statement))
  return rows.map(({ state }) => state)
}

/** Releases drawn requests in one transaction, which locks accounts in the order of their ids, so that two batches never deadlock. */
export async function releaseDrawnBatch(draws: Draw[]): Promise<Resolution[]> {
  const sorted = [...draws].sort((a, b) => (a.request.actor.accountId < b.request.actor.accountId ? -1 : 1))
  const { rows } = await runtime().pool.query<{ id: string; state: Resolution }>({
    name: "release-drawn",
    text: `SELECT id, release_drawn(id, grant_id, model, price, most) AS state
      FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[]) AS d(id, grant_id, model, price, most)`,
    values: [
      sorted.map(({ request }) => request.id),
      sorted.map(({ grant }) => grant.id),
      sorted.map(({ request }) => request.modelId),
      sorted.map(({ request }) => request.pricePico),
      sorted.map(({ request }) => request.maxTokens),
    ],
  })
  const states = new Map(rows.map(({ id, state }) => [id, state]))
  return draws.map(({ request }) => states.get(request.id) ?? "unknown")
}

/** Charges a request to the grant that it drew from, in one durable transaction. What it was not charged is free to draw again. */
export async function chargeDrawn(draw: Draw, facts: ChargeFacts): Promise<DrawnResolution> {
  const { drawnCaptures, grants } = runtime()
  draw.isCharging = true
  const state = await drawnCaptures.submit({ draw, facts })
  if (state === "captured") grants.settle(draw, cost(facts.tokens, pico(draw.request.pricePico)))
  // The grant ended before, and with it the hold that the request got then.
  else if (state === "voided" || state === "expired") grants.lost(draw)
  return state
}

/**
 * Gives up a drawn request and returns the state of its hold. Before its charge began, nothing in the database knows of it. Later, the
 * database decides whether it was charged, and refuses a charge that is still under way.
 */
export async function releaseDrawn(draw: Draw): Promise<Resolution> {
  const { drawnReleases, grants } = runtime()
  draw.isGivenUp = true
  if (!draw.isCharging && !draw.grant.ending) {
    grants.settle(draw, 0n)
    return "voided"
  }
  const state = await drawnReleases.submit(draw)
  // What an unknown charge left over stays drawn until the grant ends.
  grants.settle(draw, state === "captured" ? draw.costPico : 0n)
  return state
}
