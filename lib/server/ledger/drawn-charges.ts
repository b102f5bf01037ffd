import type { Runtime } from "@/lib/server/platform/runtime"
import { cost, pico } from "@/lib/shared/money"
import type { Draw } from "./grant"
import type { ChargeFacts, Resolution } from "./held-request"
import type { DrawnResolution } from "./hold-statements"

/** Charges a request to the grant that it drew from, in one durable transaction. What it was not charged is free to draw again. */
export async function chargeDrawn(
  { drawnCaptures, grants }: Runtime,
  draw: Draw,
  facts: ChargeFacts,
): Promise<DrawnResolution> {
  draw.isCharging = true
  const state = await drawnCaptures.submit({ draw, facts })
  if (state === "captured") grants.settle(draw, cost(facts.tokens, pico(draw.request.pricePico)))
  // The request has a hold of its own that was released or has expired: it was given up, or its grant had ended.
  else if (state === "voided" || state === "expired") grants.lost(draw)
  return state
}

/**
 * Gives up a drawn request and returns the state of its hold. Before its charge or the end of its grant began, the database does not know
 * the request. Later, the database decides whether it was charged, and refuses a charge that is still under way.
 */
export async function releaseDrawn({ drawnReleases, grants }: Runtime, draw: Draw): Promise<Resolution> {
  draw.isGivenUp = true
  if (!draw.isCharging && !draw.grant.ending) {
    grants.settle(draw, 0n)
    return "voided"
  }
  const state = await drawnReleases.submit(draw)
  // How much was charged is not known here. All that the request drew counts as spent until the grant ends.
  grants.settle(draw, state === "captured" ? draw.costPico : 0n)
  return state
}
