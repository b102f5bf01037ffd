"use client"
import { useFormContext } from "react-hook-form"
import { Button } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import type { Step } from "@/lib/shared/playground/describe-refusal"
import type { ModelChoice } from "@/lib/shared/playground/model-choice"
import type { Refusal } from "@/lib/shared/playground/read-outcome"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { rememberTopUp } from "./top-up-return"
import { useCountdown } from "./use-countdown"

export interface StepActions {
  accountId: string
  models: ModelChoice[]
  onRun: () => void
  /** Moves the focus to the field that a `param` speaks of. */
  onShowField: (field: string, message: string) => void
  fieldOf: (param: string) => string | null
}

interface NextStepProps extends StepActions {
  step: Step
  refusal: Refusal
}

function Act({ label, onAct }: { label: string; onAct: () => void }) {
  return (
    <Button variant="secondary" size="sm" onClick={onAct}>
      {label}
    </Button>
  )
}

/** One way on from a refusal. */
export function NextStep(props: NextStepProps) {
  const { step, refusal, onRun, onShowField, fieldOf } = props
  const { setValue } = useFormContext<PlaygroundForm>()
  switch (step) {
    case "fix_field": {
      const field = fieldOf(refusal.param ?? "") ?? "state.text"
      return <Act label="Go to the field" onAct={() => onShowField(field, refusal.message)} />
    }
    case "shorten":
      return <Act label="Go to the state" onAct={() => onShowField("state.text", refusal.message)} />
    case "top_up":
      return <TopUp {...props} />
    case "other_key":
      return <Act label="Spend as Playground" onAct={() => setValue("keyId", "")} />
    case "create_key":
      return <StepLink href="/keys" label="Create key" />
    case "other_model":
      return <OtherModel {...props} />
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

function StepLink({ href, label, onFollow }: { href: string; label: string; onFollow?: () => void }) {
  return (
    <LinkButton href={href} variant="secondary" size="sm" onClick={onFollow}>
      {label}
    </LinkButton>
  )
}

/** To the top-up page with enough chosen, by its path: the console may be open under another name of this machine. */
function TopUp({ refusal, accountId }: NextStepProps) {
  const { pathname, search } = new URL(refusal.topup_url ?? "/billing", window.location.href)
  const label = refusal.topup_url ? "Top up" : "Open billing"
  return <StepLink href={pathname + search} label={label} onFollow={() => rememberTopUp(accountId)} />
}

/** The successor where there is one, else another model of the list, else the picker itself. */
function OtherModel({ refusal, models }: NextStepProps) {
  const { setValue, getValues, setFocus } = useFormContext<PlaygroundForm>()
  const asked = getValues("model")
  const answering = models.find(({ id }) => id === asked)?.pinnedId ?? asked
  const others = models.filter(({ id, pinnedId, isAvailable }) => id !== asked && pinnedId !== answering && isAvailable)
  const other = refusal.replacement_model ?? refusal.valid_models?.[0] ?? others[0]?.id
  if (other === undefined && models.length < 2) return null
  if (other === undefined) return <Act label="Choose a model" onAct={() => setFocus("model")} />
  return <Act label={`Use ${other}`} onAct={() => setValue("model", other)} />
}

/** Counts down what the API asked to wait, then runs again at a press. */
function Wait({ seconds, onRun }: { seconds: number; onRun: () => void }) {
  const left = useCountdown(seconds)
  if (left === 0) return <Act label="Run again" onAct={onRun} />
  return (
    <span aria-live="off" className="text-ink-muted tabular-nums">
      Run again in {left} s
    </span>
  )
}
