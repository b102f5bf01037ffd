"use client"
import { Pause, Play, X } from "lucide-react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Money } from "@/components/ui/money"
import { Progress } from "@/components/ui/progress"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { countOf, formatCount, formatSpan } from "@/lib/shared/format"
import { useOpenSet } from "../../model/open-set"
import type { RunControl } from "../../run/use-runner"
import { showTab } from "../address"
import { FailedRows } from "./failed-rows"
import { PauseAlert } from "./pause-alert"

interface RunStatusProps {
  run: EvaluationRun
  control: RunControl
}

const TITLES = { running: "Running", paused: "Paused", finished: "Finished", cancelled: "Cancelled" } as const

/** Shows how far a run is, what it cost, and what to do next. */
export function RunStatus({ run, control }: RunStatusProps) {
  const isHere = useOpenSet((state) => state.progress !== null)
  return (
    <section aria-label="Run" className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <div role="status" className="mr-auto">
          <h2 className="font-semibold text-lg">{TITLES[run.status]}</h2>
        </div>
        <Buttons run={run} control={control} isHere={isHere} />
      </div>
      <Bar run={run} />
      {run.status === "running" && !isHere ? <Alert>Another tab runs this set. This page follows it.</Alert> : null}
      {run.status === "paused" ? <PauseAlert run={run} control={control} /> : null}
      <FailedRows run={run} control={control} />
    </section>
  )
}

function Buttons({ run, control, isHere }: RunStatusProps & { isHere: boolean }) {
  // The same element at the same place in both states. A run may pause itself while Pause is pressed, which must not cancel it.
  const cancel = (
    <Button key="cancel" variant="secondary" onClick={control.cancel}>
      <X aria-hidden className="size-3.5" />
      Cancel run
    </Button>
  )
  if (run.status === "running")
    return isHere ? (
      <>
        {cancel}
        <Button key="pause" variant="secondary" onClick={control.pause}>
          <Pause aria-hidden className="size-3.5" />
          Pause
        </Button>
      </>
    ) : null
  if (run.status === "paused")
    return (
      <>
        {cancel}
        <Button key="resume" onClick={() => control.resume("rest")}>
          <Play aria-hidden className="size-3.5" />
          Resume
        </Button>
      </>
    )
  if (run.totals.answered === 0 || run.robustness) return null
  return run.follows ? (
    <Button onClick={() => showTab("compare")}>Compare the two runs</Button>
  ) : (
    <Button onClick={() => showTab("results")}>See the results</Button>
  )
}

function Bar({ run }: { run: EvaluationRun }) {
  const progress = useOpenSet((state) => state.progress)
  const { totals, rowCount, capUsd, robustness } = run
  const settled = totals.answered + totals.failed + totals.inDoubt
  const perSecond = progress?.perSecond ?? 0
  const left = perSecond > 0 ? formatSpan(((rowCount - settled) / perSecond) * 1_000) : null
  return (
    <div className="flex flex-col gap-2">
      <Progress label={robustness ? "Requests done" : "Rows done"} value={settled} max={Math.max(1, rowCount)} />
      <p className="flex flex-wrap gap-x-6 gap-y-1 text-ink-muted text-sm tabular-nums">
        <span>
          {formatCount(settled)} of {countOf(rowCount, robustness ? "request" : "row")}
        </span>
        {totals.failed > 0 ? <span>{formatCount(totals.failed)} failed</span> : null}
        {totals.inDoubt > 0 ? <span>{formatCount(totals.inDoubt)} may have been charged</span> : null}
        <span>
          <Money usd={totals.costUsd} /> spent{capUsd ? " of a cap of " : ""}
          {capUsd ? <Money usd={capUsd} /> : null}
        </span>
        {progress ? (
          <span>
            {perSecond.toFixed(perSecond < 10 ? 1 : 0)} {robustness ? "requests" : "rows"} per second
          </span>
        ) : null}
        {progress && left ? <span>{left} left</span> : null}
      </p>
      {progress?.isOffline ? (
        <Alert tone="warn" role="status">
          The server does not respond. The run continues when it does.
        </Alert>
      ) : null}
    </div>
  )
}
