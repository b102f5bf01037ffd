import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { countOf, formatCount, formatUsd } from "@/lib/shared/format"

const STATUS = { running: "Running", paused: "Paused", finished: "Finished", cancelled: "Cancelled" } as const

/** Describes a run in a few words: "Paused, 120 of 500 rows answered, $0.12". */
export function runStatusText({ status, totals, rowCount, robustness }: EvaluationRun): string {
  const rows = `${formatCount(totals.answered)} of ${countOf(rowCount, robustness ? "request" : "row")} answered`
  return `${STATUS[status]}, ${rows}, ${formatUsd(totals.costUsd)}`
}
