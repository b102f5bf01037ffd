"use client"
import { lazy, Suspense } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Skeleton } from "@/components/ui/skeleton"
import type { Outcome } from "@/lib/shared/playground/read-outcome"
import { Failed } from "./failed"
import type { StepActions } from "./next-step"
import { RawExchange } from "./raw-exchange"
import { Refused } from "./refused"
import type { Run } from "./use-run"
import type { Thresholds } from "./use-thresholds"

const OutcomeView = lazy(() => import("./outcome-view").then((file) => ({ default: file.OutcomeView })))

interface RunViewProps extends StepActions {
  run: Run
  thresholds: Thresholds
}

/** One word for a screen reader, said once each time it changes; a refusal is an alert of its own. */
function said(run: Run): string {
  if (run.phase === "running") return "Running"
  return run.phase === "done" && run.outcome.kind === "answered" ? "Answered" : ""
}

/** What came back of the last run, or what to do to get something. */
export function RunView(props: RunViewProps) {
  return (
    <>
      <p role="status" className="sr-only">
        {said(props.run)}
      </p>
      <Phase {...props} />
    </>
  )
}

function Phase({ run, ...props }: RunViewProps) {
  if (run.phase === "idle")
    return (
      <p className="py-8 text-center text-ink-muted">
        Answers appear here. Run the request with Ctrl+Enter or ⌘+Enter.
      </p>
    )
  if (run.phase === "stopped")
    return (
      <Alert
        role="status"
        title="Stopped"
        action={
          <Button variant="secondary" size="sm" onClick={props.onRun}>
            Run again
          </Button>
        }
      >
        A request that is stopped before its answer is not charged.
      </Alert>
    )
  if (run.phase === "failed") return <Failed why={run.why} onRun={props.onRun} />
  if (run.phase === "running" && !run.last) return <Waiting />
  const outcome = run.phase === "done" ? run.outcome : run.last
  return outcome ? (
    <div
      aria-busy={run.phase === "running"}
      className="flex flex-col gap-6 transition-opacity duration-150 aria-busy:opacity-50"
    >
      <Came outcome={outcome} {...props} />
      <RawExchange exchange={outcome.exchange} />
    </div>
  ) : null
}

function Came({ outcome, thresholds, ...actions }: Omit<RunViewProps, "run"> & { outcome: Outcome }) {
  if (outcome.kind === "refused") return <Refused key={outcome.requestId} outcome={outcome} {...actions} />
  return (
    <Suspense fallback={<Waiting />}>
      <OutcomeView outcome={outcome} thresholds={thresholds} />
    </Suspense>
  )
}

function Waiting() {
  return (
    <div className="flex flex-col gap-6" aria-busy="true">
      <Skeleton className="h-12" />
      <Skeleton className="h-28" />
      <Skeleton className="h-40" />
    </div>
  )
}
