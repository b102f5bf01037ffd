import type { RunningShadow } from "@/lib/server/models/catalogue"
import { type Pico, pico } from "@/lib/shared/money"

/** What one save added to a shadow's cost, and what all processes had spent by then. */
export interface SavedCost {
  id: string
  addedPico: Pico
  spentPico: Pico
}

/**
 * Keeps shadows within their budgets. A process knows at once what it spends itself, and what others spent once they saved it and the
 * catalogue was read again.
 */
export class ShadowBudgets {
  /** By shadow: what requests of this process cost, or may cost, that is not saved. */
  readonly #unsaved = new Map<string, bigint>()
  readonly #saved = new Map<string, Pico>()

  /** Reserves the expected cost of a request. Returns false when the budget has no room for it. */
  reserve({ id, budgetPico, spentPico }: RunningShadow, expectedPico: Pico): boolean {
    const unsaved = this.#unsaved.get(id) ?? 0n
    const saved = this.#saved.get(id) ?? pico(0)
    const spent = (saved > spentPico ? saved : spentPico) + unsaved + expectedPico
    if (budgetPico !== null && spent > budgetPico) return false
    this.#unsaved.set(id, unsaved + expectedPico)
    return true
  }

  /** Replaces what was reserved for a request by what it cost. */
  settle(id: string, reservedPico: Pico, costPico: Pico): void {
    this.#unsaved.set(id, (this.#unsaved.get(id) ?? 0n) + costPico - reservedPico)
  }

  saved(costs: readonly SavedCost[]): void {
    for (const { id, addedPico, spentPico } of costs) {
      this.#unsaved.set(id, (this.#unsaved.get(id) ?? 0n) - addedPico)
      this.#saved.set(id, spentPico)
    }
  }
}
