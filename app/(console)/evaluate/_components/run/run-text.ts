import { countOf, formatCount, formatUsd } from "@/lib/shared/format"
import type { EvaluationRun } from "../../model/evaluation-run"

const STATUS = { running: "Running", paused: "Paused", finished: "Finished", cancelled: "Cancelled" } as const

/** Describes a run in a few words: "Paused, 120 of 500 rows answered, $0.12". */
export function runStatusText({ status, totals, rowCount, probe }: EvaluationRun): string {
  const rows = `${formatCount(totals.answered)} of ${countOf(rowCount, probe ? "request" : "row")} answered`
  return `${STATUS[status]}, ${rows}, ${formatUsd(totals.costUsd)}`
}
