"use client"
import { Alert } from "@/components/ui/alert"
import { describeRefusal } from "@/lib/shared/playground/describe-refusal"
import type { Outcome } from "@/lib/shared/playground/read-outcome"
import { NextStep, type StepActions } from "./next-step"

interface RefusedProps extends StepActions {
  outcome: Extract<Outcome, { kind: "refused" }>
}

/** Why there is no answer, in the API's own code, and what to do next. */
export function Refused({ outcome, ...actions }: RefusedProps) {
  const { refusal, requestId, exchange } = outcome
  const { title, advice, steps } = describeRefusal(refusal, new Date())
  return (
    <Alert tone="danger" role="alert" title={title}>
      <p>{advice}</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        {steps.map((step) => (
          <NextStep key={step} step={step} refusal={refusal} {...actions} />
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
