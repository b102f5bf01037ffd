"use client"
import type { ReactNode } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Time } from "@/components/ui/time"
import { describeRefusal } from "@/lib/shared/runs/describe-refusal"
import type { HistoryEntry } from "../model/run-history"
import { OutcomeView } from "./outcome-view"
import { RawExchange } from "./raw-exchange"

interface StoredRunViewProps extends HistoryEntry {
  back: ReactNode
  onRestore: () => void
  /** Opens the request and runs it. */
  onRunAgain: () => void
}

export function StoredRunView({ run, outcome, back, onRestore, onRunAgain }: StoredRunViewProps) {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {back}
        <span className="flex gap-2">
          <Button variant="secondary" size="sm" onClick={onRestore}>
            Restore this request
          </Button>
          <Button size="sm" onClick={onRunAgain}>
            Run again
          </Button>
        </span>
      </div>
      <p className="text-ink-muted">
        {run.label ? <span className="font-medium text-ink">{run.label}. </span> : null}
        Run on <Time at={run.at} as="minute" /> UTC, charged to {run.spentAs}.
      </p>
      {outcome?.kind === "answered" ? <OutcomeView outcome={outcome} /> : null}
      {outcome?.kind === "refused" ? (
        <Alert tone="danger" title={describeRefusal(outcome.refusal, new Date(run.at)).title}>
          <span className="font-mono text-sm">
            {run.status} {outcome.refusal.code}
          </span>
        </Alert>
      ) : null}
      {outcome ? <RawExchange exchange={outcome.exchange} /> : null}
    </div>
  )
}
