"use client"
import { useFormContext } from "react-hook-form"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import { describeRefusal } from "@/lib/playground/describe-refusal"
import type { Outcome } from "@/lib/playground/read-outcome"
import type { PlaygroundForm } from "@/lib/playground/schema"
import type { AnswersPaneProps } from "./answers-pane"
import { useCountdown } from "./use-countdown"

interface RefusedProps extends AnswersPaneProps {
  outcome: Extract<Outcome, { kind: "refused" }>
}

/** Why there is no answer, in the API's own code, and what to do next. */
export function Refused({ outcome, ...props }: RefusedProps) {
  const { refusal, requestId, exchange } = outcome
  const { title, advice } = describeRefusal(refusal, new Date())
  return (
    <Alert tone="danger" role="alert" title={title} action={<NextStep {...props} outcome={outcome} />}>
      <p>{advice}</p>
      <p className="mt-1 break-all font-mono text-ink-muted text-xs">
        {exchange.status} {refusal.code}
        {refusal.param ? `, param ${refusal.param}` : ""}
        {requestId ? `, ${requestId}` : ""}
      </p>
    </Alert>
  )
}

function NextStep({ outcome, onRun, onShowField, fieldOf }: RefusedProps) {
  const { refusal } = outcome
  const { setValue } = useFormContext<PlaygroundForm>()
  const secondsLeft = useCountdown(refusal.retryAfterSeconds ?? 0)
  const field = refusal.param ? fieldOf(refusal.param) : null
  if (refusal.code === "signed_out")
    return (
      <LinkButton href="/sign-in" variant="secondary" size="sm">
        Sign in
      </LinkButton>
    )
  if (refusal.code === "insufficient_balance") return <AddCredit topupUrl={refusal.topup_url ?? null} />
  if (["key_limit_reached", "invalid_api_key", "not_found"].includes(refusal.code))
    return (
      <Button variant="secondary" size="sm" onClick={() => setValue("keyId", "")}>
        Spend as Playground
      </Button>
    )
  const { replacement_model: replacement } = refusal
  if (replacement)
    return (
      <Button variant="secondary" size="sm" onClick={() => setValue("model", replacement)}>
        Use {replacement}
      </Button>
    )
  if (field)
    return (
      <Button variant="secondary" size="sm" onClick={() => onShowField(field, refusal.message)}>
        Go to the field
      </Button>
    )
  if (secondsLeft > 0)
    return (
      <span aria-live="off" className="text-ink-muted tabular-nums">
        Run again in {secondsLeft} s
      </span>
    )
  return (
    <Button variant="secondary" size="sm" onClick={onRun}>
      Run again
    </Button>
  )
}

/** To the top-up page with enough chosen, by its path: the console may be open under another name of this machine. */
function AddCredit({ topupUrl }: { topupUrl: string | null }) {
  const { pathname, search } = new URL(topupUrl ?? "/billing", window.location.href)
  return (
    <LinkButton href={pathname + search} variant="secondary" size="sm">
      {topupUrl ? "Top up" : "Open billing"}
    </LinkButton>
  )
}
