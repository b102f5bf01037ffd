"use client"
import { lazy, Suspense } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Skeleton } from "@/components/ui/skeleton"
import { describeRefusal, type Step } from "@/lib/shared/runs/describe-refusal"
import type { Outcome } from "@/lib/shared/runs/read-outcome"
import { describeExcess, excessOf } from "@/lib/shared/runs/run-cost"
import type { Run } from "../model/playground-state"
import { useAccount, usePlayground, useRunCost } from "../model/playground-store"
import { RobustnessButtons } from "../share/evaluate-offer"
import { ChangedNote } from "./changed-note"
import { DraftNote } from "./draft-note"
import { Failed } from "./failed"
import { NextStep } from "./next-step"
import { RawExchange } from "./raw-exchange"

const OutcomeView = lazy(() => import("./outcome-view").then((file) => ({ default: file.OutcomeView })))

const RecordedView = lazy(() => import("./recorded-view").then((file) => ({ default: file.RecordedView })))

/** For screen readers. A refusal is announced as an alert of its own. */
function announcement(run: Run): string {
  if (run.phase === "running") return "Running"
  const isNew = run.phase === "done" && run.at === undefined
  return isNew && run.outcome.kind === "answered" ? "Answered" : ""
}

export function RunView({ onRun }: { onRun: () => void }) {
  const run = usePlayground((state) => state.run)
  const recordedId = usePlayground((state) => state.recordedId)
  return (
    <>
      <p role="status" className="sr-only">
        {announcement(run)}
      </p>
      {recordedId === null ? (
        <Phase run={run} onRun={onRun} />
      ) : (
        <Suspense fallback={<Waiting />}>
          <RecordedView exampleId={recordedId} onRun={onRun} />
        </Suspense>
      )}
    </>
  )
}

function Phase({ run, onRun }: { run: Run; onRun: () => void }) {
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
          <Button variant="secondary" size="sm" onClick={onRun}>
            Run again
          </Button>
        }
      >
        A request stopped before its answer is not charged.
      </Alert>
    )
  if (run.phase === "failed") return <Failed reason={run.reason} onRun={onRun} />
  const outcome = run.phase === "done" ? run.outcome : run.last
  if (!outcome) return <Waiting />
  return (
    <div
      aria-busy={run.phase === "running"}
      className="flex flex-col gap-1 transition-opacity duration-150 aria-busy:opacity-50"
    >
      {outcome.kind === "refused" ? (
        <Refused key={outcome.requestId} outcome={outcome} onRun={onRun} />
      ) : (
        <Suspense fallback={<Waiting />}>
          <OutcomeView
            outcome={outcome}
            at={run.phase === "done" ? run.at : undefined}
            note={run.phase === "done" && <ChangedNote sentText={outcome.exchange.requestText} />}
          />
          <RobustnessButtons sentText={outcome.exchange.requestText} />
        </Suspense>
      )}
      <RawExchange exchange={outcome.exchange} />
    </div>
  )
}

/** Steps that lead to another page, or load this one again. */
const LEAVING: Step[] = ["top_up", "create_key", "sign_in", "reload"]

interface RefusedProps {
  outcome: Extract<Outcome, { kind: "refused" }>
  onRun: () => void
}

function Refused({ outcome, onRun }: RefusedProps) {
  const { refusal, requestId, exchange } = outcome
  const { mayPay } = useAccount()
  const cost = useRunCost()
  const { title, advice, steps } = describeRefusal(refusal, new Date(), mayPay)
  // The API does not say which text is too long. The count of the request's tokens does.
  const excess = refusal.code === "invalid_request" && refusal.param === undefined && cost ? excessOf(cost) : null
  return (
    <Alert tone="danger" role="alert" title={title}>
      <p>{excess ? `${describeExcess(excess)} Nothing was charged.` : advice}</p>
      {steps.some((step) => LEAVING.includes(step)) && <DraftNote />}
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {steps.map((step) => (
          <NextStep key={step} step={step} refusal={refusal} onRun={onRun} />
        ))}
      </div>
      <p className="mt-2 break-all font-mono text-ink-muted text-xs">
        {exchange.status} {refusal.code}
        {refusal.param ? `, param ${refusal.param}` : ""}
        {requestId ? `, ${requestId}` : ""}
      </p>
    </Alert>
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
