import { constants } from "node:os"
import { parentPort } from "node:worker_threads"
import { lowerThreadPriority } from "@/lib/server/platform/lower-priority"
import { type LiveOutcome, type LiveRule, liveFigures } from "@/lib/shared/outcomes/live-figures"

/** What the worker gets. There is at least one outcome. */
export interface SentOutcomes {
  outcomes: readonly LiveOutcome[]
  rule: LiveRule
}

lowerThreadPriority(constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on("message", ({ outcomes, rule }: SentOutcomes) => {
  parentPort?.postMessage(liveFigures(outcomes, rule))
})
