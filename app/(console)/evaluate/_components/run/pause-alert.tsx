"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { LinkButton } from "@/components/ui/link-button"
import { ASK_FOR_CREDIT } from "@/lib/shared/billing/ask-for-credit"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { resumeAdvice } from "@/lib/shared/evaluate/run/resume-advice"
import { formatExactUsd } from "@/lib/shared/format"
import { parseUsd, usd12 } from "@/lib/shared/money"
import { describeRefusal } from "@/lib/shared/runs/describe-refusal"
import type { Refusal } from "@/lib/shared/runs/read-outcome"
import { useAccount } from "../../model/open-set"
import type { RunControl } from "../../run/use-runner"

interface PauseAlertProps {
  run: EvaluationRun
  control: RunControl
}

/** Explains why a run is paused, and offers the action that continues it. */
export function PauseAlert({ run, control }: PauseAlertProps) {
  const { pause } = run
  if (pause?.kind === "cap") return <CapReached run={run} control={control} />
  if (pause?.kind === "refused") return <Refused code={pause.code} refusal={pause.refusal} />
  if (pause?.kind === "failing")
    return (
      <Alert tone="warn" role="status" title="The last ten rows failed">
        The last error was <code className="font-mono text-sm">{pause.code}</code>. Failed rows are free. Resume to send
        the other rows.
      </Alert>
    )
  if (pause?.kind === "queued")
    return (
      <p className="text-ink-muted">
        It starts when the run before it is finished. You can also start it now, with what that run left of the cap.
      </p>
    )
  if (pause?.kind === "interrupted")
    return (
      <Alert role="status" title="The run was interrupted">
        The page was closed or reloaded. All answers received before then are kept. Resume to send the other rows. Rows
        that were being sent are charged only once.
      </Alert>
    )
  return <p className="text-ink-muted">No row is being sent. You can close this page and resume later.</p>
}

function CapReached({ run, control }: PauseAlertProps) {
  const [cap, setCap] = useState("")
  const amount = parseUsd(cap)
  const isHigher = amount !== null && amount > (parseUsd(run.capUsd ?? "0") ?? 0n)
  return (
    <Alert tone="warn" role="status" title="The cap is reached">
      The next row could exceed the cap.
      <form
        className="mt-3 flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (amount !== null && isHigher) control.resume("rest", usd12(amount))
        }}
      >
        <Field label="New cap, in USD" hint={`Enter more than ${formatExactUsd(run.capUsd ?? "0")}.`} className="w-64">
          <Input inputMode="decimal" value={cap} onChange={({ target }) => setCap(target.value)} />
        </Field>
        <Button type="submit" variant="secondary" disabled={!isHigher}>
          Raise the cap and resume
        </Button>
      </form>
    </Alert>
  )
}

function Refused({ code, refusal }: { code: string; refusal: string }) {
  const { mayPay } = useAccount()
  const error = JSON.parse(refusal) as Partial<Refusal>
  const read: Refusal = { message: "", ...error, code, retryAfterSeconds: null }
  const description = describeRefusal(read, new Date())
  const topUp = read.topup_url ? new URL(read.topup_url, window.location.href) : null
  return (
    <Alert
      tone="warn"
      role="alert"
      title={description.title}
      action={
        topUp && mayPay ? (
          <LinkButton href={topUp.pathname + topUp.search} variant="secondary" size="sm">
            Top up
          </LinkButton>
        ) : null
      }
    >
      {topUp && !mayPay ? `${ASK_FOR_CREDIT} Then resume the run.` : resumeAdvice(read, description)} Rows that were not
      answered are not charged.
    </Alert>
  )
}
