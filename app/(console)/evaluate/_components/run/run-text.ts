import { formatCount, formatUsd } from "@/lib/shared/format"
import type { EvaluationRun } from "../../model/evaluation-run"

const STATUS = { running: "Running", paused: "Paused", finished: "Finished", cancelled: "Cancelled" } as const

type Unit = "row" | "request"

/** Returns the number of rows or requests: "1 row", "5,000 rows". */
export const countOf = (count: number, unit: Unit): string => `${formatCount(count)} ${unit}${count === 1 ? "" : "s"}`

/** Describes a run in a few words: "Paused, 120 of 500 rows answered, $0.12". */
export function runStatusText({ status, totals, rowCount, probe }: EvaluationRun): string {
  const rows = `${formatCount(totals.answered)} of ${countOf(rowCount, probe ? "request" : "row")} answered`
  return `${STATUS[status]}, ${rows}, ${formatUsd(totals.costUsd)}`
}
