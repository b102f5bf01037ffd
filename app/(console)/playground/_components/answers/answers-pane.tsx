"use client"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Skeleton } from "@/components/ui/skeleton"
import { TextLink } from "@/components/ui/text-link"
import type { Outcome } from "@/lib/playground/read-outcome"
import { AnswerList } from "./answer-list"
import { RawExchange } from "./raw-exchange"
import { Refused } from "./refused"
import { RunSummary } from "./run-summary"
import type { Run } from "./use-run"

export interface AnswersPaneProps {
  run: Run
  onRun: () => void
  /** Moves the focus to the field that a `param` speaks of. */
  onShowField: (field: string, message: string) => void
  fieldOf: (param: string) => string | null
}

/** What came back of the last run, or what to do to get something. */
export function AnswersPane(props: AnswersPaneProps) {
  const { run, onRun } = props
  if (run.phase === "idle")
    return (
      <p className="py-8 text-center text-ink-muted">
        Answers appear here. Run the request with Ctrl+Enter or ⌘+Enter.
      </p>
    )
  if (run.phase === "stopped")
    return (
      <Alert role="status" title="Stopped" action={<RunAgain onRun={onRun} />}>
        A request that is stopped before its answer is not charged.
      </Alert>
    )
  if (run.phase === "unreachable")
    return (
      <Alert tone="danger" role="alert" title="The server did not answer" action={<RunAgain onRun={onRun} />}>
        Check your connection. If the request was answered all the same, it stands in{" "}
        <TextLink href="/usage">Usage</TextLink>.
      </Alert>
    )
  if (run.phase === "running" && !run.last)
    return (
      <div className="flex flex-col gap-6" aria-busy="true">
        <span className="sr-only" role="status">
          Running
        </span>
        <Skeleton className="h-12" />
        <Skeleton className="h-28" />
        <Skeleton className="h-40" />
      </div>
    )
  const outcome = run.phase === "done" ? run.outcome : run.last
  return outcome ? (
    <div aria-busy={run.phase === "running"} className="transition-opacity duration-150 aria-busy:opacity-50">
      <OutcomeView {...props} outcome={outcome} />
    </div>
  ) : null
}

function OutcomeView({ outcome, ...props }: AnswersPaneProps & { outcome: Outcome }) {
  return (
    <div className="flex flex-col gap-6">
      {outcome.kind === "answered" ? (
        <>
          <RunSummary outcome={outcome} />
          <AnswerList key={outcome.requestId} answers={outcome.answers} />
        </>
      ) : (
        <Refused key={outcome.requestId} outcome={outcome} {...props} />
      )}
      <RawExchange exchange={outcome.exchange} />
    </div>
  )
}

function RunAgain({ onRun }: { onRun: () => void }) {
  return (
    <Button variant="secondary" size="sm" onClick={onRun}>
      Run again
    </Button>
  )
}
