"use client"
import { Button } from "@/components/ui/button"
import { acceptanceOf } from "@/lib/shared/evaluate/export/acceptance-of"
import { type Automation, formatBound } from "@/lib/shared/evaluate/figures/automation"
import { formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { saveRuns } from "../../model/evaluation-store"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"

interface AcceptButtonProps {
  question: string
  run: EvaluationRun
  automation: Automation
}

/** Keeps a threshold with its figures for the exported code and test. */
export function AcceptButton({ question, run, automation }: AcceptButtonProps) {
  const { replaceRun } = useOpenSetStore()
  // The run in progress stores its own copy of the run, which has no later acceptance.
  const isRunning = useOpenSet(({ progress }) => progress !== null) || run.status === "running"
  const accepted = run.acceptances.find((each) => each.question === question)
  const acceptance = acceptanceOf(question, automation)
  const isAccepted =
    accepted !== undefined &&
    accepted.band?.low === acceptance.band?.low &&
    accepted.band?.high === acceptance.band?.high
  const accept = () => {
    const changed = {
      ...run,
      acceptances: [...run.acceptances.filter((each) => each.question !== question), acceptance],
    }
    replaceRun(changed)
    saveRuns([changed]).catch(() => undefined)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 print:hidden">
      <Button onClick={accept} disabled={isRunning} aria-disabled={isAccepted || undefined}>
        {isAccepted ? "Accepted" : "Accept this threshold"}
      </Button>
      <p className="text-ink-muted text-sm">
        {isRunning ? "A run is in progress. Accept a threshold when it has stopped. " : null}
        {accepted
          ? `Accepted: ${accepted.maxWrongOfAutomatic === null ? "nothing is automatic" : `at most ${formatBound(accepted.maxWrongOfAutomatic)} wrong, at least ${formatShare(accepted.minAutomatic ?? 0)} automatic`}.`
          : "Exported code and tests use the accepted threshold."}
      </p>
    </div>
  )
}
