"use client"
import { useEffect, useState } from "react"
import { shownAccount } from "@/lib/shared/accounts/shown-account"
import { followRuns, type RunsProgress } from "@/lib/shared/evaluate/run/run-beats"
import { countOf, formatCount } from "@/lib/shared/format"

/** Shows how far the runs of Evaluate are that a tab of this browser sends. Renders nothing without any. */
export function RunProgress() {
  const [progress, setProgress] = useState<RunsProgress | null>(null)
  useEffect(() => followRuns((accountId) => accountId === shownAccount(), setProgress), [])
  if (!progress) return null
  const { settled, rowCount } = progress
  return (
    <span
      className="ml-auto text-sm tabular-nums"
      title={`${formatCount(settled)} of ${countOf(rowCount, "request")} are done`}
    >
      {Math.floor((100 * settled) / Math.max(1, rowCount))}%<span className="sr-only"> of a run</span>
    </span>
  )
}
