import { type Pico, parseUsd, pico, usd12 } from "@/lib/shared/money"
import { type EvaluationRun, NO_TOTALS, type RowResult, type RunTotals } from "./evaluation-run"

/** Returns how many results are in each state, with the tokens and the cost of the answered rows. */
export function totalsOf(results: readonly RowResult[]): RunTotals {
  let cost = pico(0)
  const totals = { ...NO_TOTALS }
  for (const result of results) {
    if (result.status === "failed") totals.failed++
    if (result.status === "in_doubt") totals.inDoubt++
    if (result.status !== "answered") continue
    totals.answered++
    totals.tokens += result.tokens
    cost = pico(cost + (parseUsd(result.costUsd ?? "0") ?? 0n))
  }
  return { ...totals, costUsd: usd12(cost) }
}

/** Counts the rows of a run by their state, and what may be charged towards its cap. */
export class RunAccounts {
  #totals: RunTotals
  #spent: Pico
  #reserved: Pico
  readonly #cap: Pico | null
  readonly #reservedByRow = new Map<number, Pico>()

  constructor({ totals, capUsd }: EvaluationRun, inDoubtPico: Pico) {
    this.#totals = totals
    this.#spent = parseUsd(totals.costUsd) ?? pico(0)
    this.#reserved = inDoubtPico
    this.#cap = capUsd === null ? null : parseUsd(capUsd)
  }

  get totals(): RunTotals {
    return this.#totals
  }

  /** Returns whether a row of this cost keeps everything that may be charged within the cap. */
  affords(most: Pico): boolean {
    return this.#cap === null || this.#spent + this.#reserved + most <= this.#cap
  }

  /** Reserves the maximum cost of a row. It no longer counts as failed or in doubt. */
  reserve(row: number, most: Pico, former: "failed" | "in_doubt" | null): void {
    // What a row in doubt may have cost is reserved already.
    if (former !== "in_doubt") this.#reserved = pico(this.#reserved + most)
    this.#reservedByRow.set(row, most)
    if (former === "failed") this.#totals = { ...this.#totals, failed: this.#totals.failed - 1 }
    if (former === "in_doubt") this.#totals = { ...this.#totals, inDoubt: this.#totals.inDoubt - 1 }
  }

  release(row: number): void {
    this.#reserved = pico(this.#reserved - (this.#reservedByRow.get(row) ?? 0n))
    this.#reservedByRow.delete(row)
  }

  /** Counts a settled row and returns the totals. A row in doubt stays reserved. */
  settle(result: RowResult): RunTotals {
    const before = this.#totals
    if (result.status !== "in_doubt") this.release(result.row)
    if (result.status === "in_doubt") this.#totals = { ...before, inDoubt: before.inDoubt + 1 }
    if (result.status === "failed") this.#totals = { ...before, failed: before.failed + 1 }
    if (result.status === "answered") {
      this.#spent = pico(this.#spent + (parseUsd(result.costUsd ?? "0") ?? 0n))
      const tokens = before.tokens + result.tokens
      this.#totals = { ...before, answered: before.answered + 1, tokens, costUsd: usd12(this.#spent) }
    }
    return this.#totals
  }
}
