import { formatDateTime, formatExactUsd } from "@/lib/shared/format"
import type { Budget, SpentPercent } from "@/lib/shared/keys/budgets"
import { KEY_MANAGERS, type Notices, OWNERS } from "./notice"

export interface BudgetFacts {
  budget_spent: {
    /** `bud_…` */
    budgetId: string
    /** Names what the budget limits, such as "keys of ada@example.com". Looked up when the mail is sent. */
    budgetName: string
    percent: SpentPercent
    /** Exact USD text. */
    limitUsd: string
    period: Budget["period"]
    /** ISO text. */
    resetsAt: string
  }
}

export const BUDGET_NOTICES: Notices<BudgetFacts> = {
  budget_spent: {
    label: "50%, 80% or all of a budget is spent",
    event: "budget.spent",
    isSecurity: false,
    roles: OWNERS,
    mayConcern: KEY_MANAGERS,
    sample: {
      budgetId: "bud_01k3tfa2c4e6g8j0m2p4r6t8v0",
      budgetName: "keys of grace@example.com",
      percent: 80,
      limitUsd: "100.000000000000",
      period: "monthly",
      resetsAt: "2026-12-01T00:00:00.000Z",
    },
    write: ({ budgetName, percent, limitUsd, period, resetsAt }) => ({
      subject: percent === 100 ? `A ${period} budget is spent` : `A ${period} budget is spent to ${percent}%`,
      intro: `The ${period} budget of ${formatExactUsd(limitUsd)} for ${budgetName} is ${percent === 100 ? "spent, so its requests are refused" : `spent to ${percent}%`}. See what spends it`,
      action: { label: "Open budgets", path: "/budgets" },
      terms: `${percent === 100 ? "Its requests work again" : "At its limit, its requests are refused. It resets"} on ${formatDateTime(new Date(resetsAt))} UTC. An owner can change the budget before.`,
    }),
  },
}
