"use client"
import { Button } from "@/components/ui/button"
import { TextLink } from "@/components/ui/text-link"
import { acceptanceOf, rowsMark } from "@/lib/shared/evaluate/export/acceptance-of"
import { type AnsweredRows, SPLIT_SEED } from "@/lib/shared/evaluate/figures/answered-rows"
import { type Automation, formatBound, statedClaims } from "@/lib/shared/evaluate/figures/automation"
import { formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import type { Acceptance } from "@/lib/shared/export-code/export-test"
import { formatDateTime } from "@/lib/shared/format"
import { addressOfAcceptance } from "@/lib/shared/outcomes/outcomes-address"
import type { CheckedQuestion } from "@/questions/question-types"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"

interface AcceptButtonProps {
  question: CheckedQuestion
  run: EvaluationRun
  /** Null when there is nothing to accept now. */
  automation: Automation | null
  answered: AnsweredRows
  /** What keeps a claim from being confirmed. Null while that is not known. */
  doubts: string[] | null
}

/** Keeps a threshold with its claims for the exported code and test. */
export function AcceptButton({ question, run, automation, answered, doubts }: AcceptButtonProps) {
  const { changeRun } = useOpenSetStore()
  // The run in progress stores its own copy of the run, which has no later acceptance.
  const isRunning = useOpenSet(({ progress }) => progress !== null) || run.status === "running"
  const accepted = run.acceptances.find((each) => each.question === question.name)
  const isAccepted = accepted !== undefined && automation !== null && isSame(accepted, automation, doubts)
  // Without the doubts, the record could not say that a claim is confirmed.
  const isChecking = !isAccepted && doubts === null
  const accept = () => {
    if (!automation || isAccepted || !doubts) return
    const details = { acceptedAt: new Date().toISOString(), doubts }
    void changeRun({
      ...run,
      acceptances: [
        ...run.acceptances.filter((each) => each.question !== question.name),
        acceptanceOf(question, automation, answered, details),
      ],
    })
  }
  const outcomes = accepted && addressOfAcceptance(accepted, { type: question.type, model: run.pinnedId })
  if (!automation && !accepted) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {automation ? (
        <Button
          onClick={accept}
          disabled={isRunning || isChecking}
          aria-disabled={isAccepted || undefined}
          className="print:hidden"
        >
          {isAccepted ? "Accepted" : "Accept this threshold"}
        </Button>
      ) : null}
      <p className="max-w-text text-ink-muted text-sm">
        {isRunning ? "A run is in progress. Accept a threshold when it has stopped. " : null}
        {automation && isChecking ? "The page still checks the threshold against the other figures. " : null}
        {accepted ? acceptedText(accepted, answered) : null}
        {accepted ? null : "The playground, exported code and tests use the accepted threshold."}
        {outcomes ? (
          <>
            {" "}
            <TextLink href={outcomes} className="print:hidden">
              Compare it with outcomes
            </TextLink>
          </>
        ) : null}
      </p>
    </div>
  )
}

/** The same rule for the same claims, which are confirmed or not: a threshold may stay when a target changes. */
const isSame = ({ band, options, proof }: Acceptance, automation: Automation, doubts: string[] | null): boolean =>
  (!doubts || !proof?.doubts || (proof.doubts.length === 0) === (doubts.length === 0)) &&
  JSON.stringify(options) === JSON.stringify(automation.options) &&
  (band?.low ?? null) === automation.band.low &&
  (band?.high ?? null) === automation.band.high &&
  JSON.stringify(proof?.claims) === JSON.stringify(automation.claims)

/** Says what was accepted when, and whether its rows have changed since. */
export function acceptedText({ maxWrongOfAutomatic, minAutomatic, proof }: Acceptance, answered: AnsweredRows): string {
  const when = proof ? `Accepted on ${formatDateTime(new Date(proof.acceptedAt))} UTC` : "Accepted"
  const claims = statedClaims(proof?.claims ?? [])
    .map(({ text }) => text)
    .join(" ")
  const bound =
    maxWrongOfAutomatic === null ? "nothing is automatic" : `at most ${formatBound(maxWrongOfAutomatic)} wrong`
  const what = claims ? `: ${claims} At` : `: ${bound}, at`
  const doubtful = proof?.doubts && proof.doubts.length > 0 && claims ? " It was not confirmed." : ""
  const changed = proof ? changedText(proof, answered) : ""
  return `${when}${what} least ${formatShare(minAutomatic ?? 0)} automatic.${doubtful}${changed}`
}

function changedText({ mark, seed }: NonNullable<Acceptance["proof"]>, answered: AnsweredRows): string {
  if (mark === rowsMark(answered)) return " The rows and their labels are the same."
  return seed === SPLIT_SEED
    ? " The rows or their labels have changed since: check the threshold again."
    : " It was accepted with another draw of rows: check the threshold again."
}
