"use client"
import { useCountdown } from "@/components/timing/use-countdown"
import { Button } from "@/components/ui/button"
import { focusField } from "@/components/ui/focus-field"
import { LinkButton } from "@/components/ui/link-button"
import { rememberTopUp } from "@/lib/shared/billing/playground-top-up"
import type { Step } from "@/lib/shared/runs/describe-refusal"
import type { Refusal } from "@/lib/shared/runs/read-outcome"
import { useAccount, useDispatch, usePlaygroundStore } from "../model/playground-store"
import { fieldForParam } from "../model/request-state"

interface NextStepProps {
  step: Step
  refusal: Refusal
  onRun: () => void
}

export function NextStep({ step, refusal, onRun }: NextStepProps) {
  const { dispatch, getState } = usePlaygroundStore()
  const showParam = (param: string) => {
    dispatch({ type: "param_refused", param, message: refusal.message })
    focusField(fieldForParam(getState().request, param) ?? "state.text")
  }
  switch (step) {
    case "fix_field":
      return <Act label="Go to the field" onAct={() => showParam(refusal.param ?? "state")} />
    case "shorten":
      return <Act label="Go to the state" onAct={() => showParam("state")} />
    case "top_up":
      return <TopUp refusal={refusal} />
    case "other_key":
      return <Act label="Charge to Playground" onAct={() => dispatch({ type: "key_chosen", keyId: "" })} />
    case "create_key":
      return <StepLink href="/keys" label="Create key" />
    case "other_model":
      return <OtherModel refusal={refusal} />
    case "wait":
      return <Wait seconds={refusal.retryAfterSeconds ?? 1} onRun={onRun} />
    case "sign_in":
      return <StepLink href="/sign-in?next=/playground" label="Sign in" />
    case "reload":
      return <Act label="Reload" onAct={() => window.location.reload()} />
    case "run_again":
      return <Act label="Run again" onAct={onRun} />
  }
}

function Act({ label, onAct }: { label: string; onAct: () => void }) {
  return (
    <Button variant="secondary" size="sm" onClick={onAct}>
      {label}
    </Button>
  )
}

function StepLink({ href, label, onFollow }: { href: string; label: string; onFollow?: () => void }) {
  return (
    <LinkButton href={href} variant="secondary" size="sm" onClick={onFollow}>
      {label}
    </LinkButton>
  )
}

/** Links to the top-up page by its path, because the console may be open under another address of this server. */
function TopUp({ refusal }: { refusal: Refusal }) {
  const { accountId } = useAccount()
  const { pathname, search } = new URL(refusal.topup_url ?? "/billing", window.location.href)
  const label = refusal.topup_url ? "Top up" : "Open billing"
  return <StepLink href={pathname + search} label={label} onFollow={() => rememberTopUp(accountId)} />
}

function OtherModel({ refusal }: { refusal: Refusal }) {
  const { models } = useAccount()
  const dispatch = useDispatch()
  const { getState } = usePlaygroundStore()
  const { model } = getState().request.form
  const pinned = models.find(({ id }) => id === model)?.pinnedId ?? model
  const others = models.filter(({ id, pinnedId, isAvailable }) => id !== model && pinnedId !== pinned && isAvailable)
  const other = refusal.replacement_model ?? refusal.valid_models?.[0] ?? others[0]?.id
  if (other !== undefined)
    return <Act label={`Use ${other}`} onAct={() => dispatch({ type: "model_chosen", model: other })} />
  return models.length < 2 ? null : <Act label="Choose a model" onAct={() => focusField("model")} />
}

function Wait({ seconds, onRun }: { seconds: number; onRun: () => void }) {
  const left = useCountdown(seconds) ?? seconds
  if (left === 0) return <Act label="Run again" onAct={onRun} />
  return (
    <span aria-live="off" className="text-ink-muted tabular-nums">
      Run again in {left} s
    </span>
  )
}
