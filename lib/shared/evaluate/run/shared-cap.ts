import { cost, type Pico, parsePricePerMillion, parseUsd, pico, usd12 } from "@/lib/shared/money"
import type { EvaluationRun, RowResult } from "./evaluation-run"
import type { RowRequest, RowRequests } from "./row-requests"
import { maxTokens } from "./shared-request"

/** Returns a row's maximum cost. A model without a price costs nothing. */
export function maxCostOf({ shared, state }: RowRequest): Pico {
  return cost(maxTokens(shared, state), parsePricePerMillion(shared.pricePerMillionUsd ?? "") ?? pico(0))
}

/** Returns the maximum that a run's rows in doubt may have cost. */
export function inDoubtCost(requests: RowRequests, results: readonly RowResult[]): Pico {
  let sum = pico(0)
  for (const { row, status } of results) {
    const request = status === "in_doubt" ? requests(row) : null
    if (request) sum = pico(sum + maxCostOf(request))
  }
  return sum
}

/**
 * Splits the shared cap of two runs when the second one starts, as exact USD text. The first run keeps what it spent and the
 * maximum that its rows in doubt may have cost. The next one gets the rest.
 */
export function splitCap(cap: Pico, { totals }: EvaluationRun, inDoubtPico: Pico): { kept: string; left: string } {
  const most = (parseUsd(totals.costUsd) ?? 0n) + inDoubtPico
  const kept = pico(most < cap ? most : cap)
  return { kept: usd12(kept), left: usd12(pico(cap - kept)) }
}
