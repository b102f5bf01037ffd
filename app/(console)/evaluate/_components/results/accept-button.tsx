"use client"
import { Button } from "@/components/ui/button"
import type { Acceptance } from "@/lib/shared/export-code/export-test"
import { formatShare } from "@/questions/figure-text"
import { type Automation, formatBound } from "../../figures/automation"
import type { EvaluationRun } from "../../model/evaluation-run"
import { saveRun } from "../../model/evaluation-store"
import { useOpenSetStore } from "../../model/open-set"

interface AcceptButtonProps {
  question: string
  run: EvaluationRun
  automation: Automation
}

/** Returns the band as numbers that can be stored. A `high` above 1 is never reached, so nothing becomes yes. */
const storedBand = ({ low, high }: Automation["band"]): Acceptance["band"] =>
  low === 0 && high > 1 ? null : { low, high: Math.min(high, MOST) }

/** The lowest number above every probability. */
const MOST = 1 + Number.EPSILON

/** Keeps a threshold with its figures for the exported code and test. */
export function AcceptButton({ question, run, automation: { band, checked } }: AcceptButtonProps) {
  const { replaceRun } = useOpenSetStore()
  const accepted = run.acceptances.find((each) => each.question === question)
  const stored = storedBand(band)
  const isAccepted =
    accepted !== undefined && accepted.band?.low === stored?.low && accepted.band?.high === stored?.high
  const accept = () => {
    const acceptance: Acceptance = {
      question,
      band: stored,
      minAccuracy: null,
      maxWrongOfAutomatic: checked.automatic > 0 ? checked.errorBound : null,
      minAutomatic: checked.automatic / checked.rows,
      maxMeanError: null,
    }
    const changed = {
      ...run,
      acceptances: [...run.acceptances.filter((each) => each.question !== question), acceptance],
    }
    replaceRun(changed)
    saveRun(changed, []).catch(() => undefined)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 print:hidden">
      <Button onClick={accept} aria-disabled={isAccepted || undefined}>
        {isAccepted ? "Accepted" : "Accept this threshold"}
      </Button>
      <p className="text-ink-muted text-sm">
        {accepted
          ? `Accepted: ${accepted.maxWrongOfAutomatic === null ? "nothing is automatic" : `at most ${formatBound(accepted.maxWrongOfAutomatic)} wrong, ${formatShare(accepted.minAutomatic ?? 0)} automatic`}.`
          : "Exported code and tests use the accepted threshold."}
      </p>
    </div>
  )
}
