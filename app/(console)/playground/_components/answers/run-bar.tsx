"use client"
import { Play, Square } from "lucide-react"
import { useFormContext, useWatch } from "react-hook-form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import { formatCount, formatExactUsd, formatUsd } from "@/lib/shared/format"
import type { KeyChoice, ModelChoice, RateLimits } from "@/lib/shared/playground/model-choice"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { useRunCost } from "../request/cost-context"
import type { Run } from "./use-run"

interface RunBarProps {
  models: ModelChoice[]
  keys: KeyChoice[]
  rates: RateLimits
  run: Run
  ready: boolean
  onRun: () => void
  onStop: () => void
}

/** What the chosen model costs, and whether it answers now. */
function priceText(model: ModelChoice | undefined): string {
  const price = model?.pricePerMillionUsd ? `${formatExactUsd(model.pricePerMillionUsd)} per 1M tokens` : "No price"
  return model?.isAvailable === false ? `${price}, not available now` : price
}

/** The spend limit of the key that a run spends as. */
const limitText = (key: KeyChoice | undefined): string =>
  key?.limitUsd
    ? `${formatUsd(key.spentUsd)} of ${formatUsd(key.limitUsd)} ${key.period ?? ""} spent`
    : "No spend limit"

/** Always in reach: model, whose limits apply, cost, Run and Stop. */
export function RunBar({ models, keys, rates, run, ready, onRun, onStop }: RunBarProps) {
  const { register, formState } = useFormContext<PlaygroundForm>()
  const chosen = useWatch<PlaygroundForm, "model">({ name: "model" })
  const keyId = useWatch<PlaygroundForm, "keyId">({ name: "keyId" })
  return (
    <div
      data-bottom-bar
      className="sticky short:static bottom-0 z-10 -mx-4 grid grid-cols-2 items-end gap-x-3 gap-y-2 border-line border-t bg-bg px-4 py-3 sm:-mx-8 sm:flex sm:px-8 lg:mx-0 lg:px-0"
    >
      <Field label="Model" error={formState.errors.model?.message} className="min-w-0 text-sm sm:w-56 xl:w-96">
        <Select {...register("model")}>
          {models.map(({ id, pinnedId }) => (
            <option key={id} value={id}>
              {id === pinnedId ? id : `${id} → ${pinnedId}`}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Spends as" className="min-w-0 text-sm sm:w-40 xl:w-48">
        <Select {...register("keyId")}>
          <option value="">Playground</option>
          {keys.map(({ id, name, masked }) => (
            <option key={id} value={id}>
              {name} ({masked})
            </option>
          ))}
        </Select>
      </Field>
      <RunCost
        model={models.find(({ id }) => id === chosen)}
        spendsAs={keys.find(({ id }) => id === keyId)}
        rates={rates}
      />
      <RunButtons running={run.phase === "running"} {...{ ready, onRun, onStop }} />
    </div>
  )
}

interface RunButtonsProps {
  running: boolean
  ready: boolean
  onRun: () => void
  onStop: () => void
}

function RunButtons({ running, ready, onRun, onStop }: RunButtonsProps) {
  return (
    <div className="flex justify-end gap-2">
      {running ? (
        <Button variant="secondary" onClick={onStop}>
          <Square aria-hidden className="size-3.5" />
          Stop
        </Button>
      ) : null}
      <Button
        onClick={onRun}
        disabled={!ready}
        pending={running}
        pendingLabel="Running…"
        title="Ctrl+Enter or ⌘+Enter"
        className="min-w-24"
      >
        <Play aria-hidden className="size-3.5" />
        Run
      </Button>
    </div>
  )
}

interface RunCostProps {
  model: ModelChoice | undefined
  spendsAs: KeyChoice | undefined
  rates: RateLimits
}

/** What a run costs and whose limits hold. */
function RunCost({ model, spendsAs, rates }: RunCostProps) {
  const { cost, isCounting } = useRunCost()
  return (
    <p
      aria-busy={isCounting}
      className="min-w-0 self-center text-ink-muted text-xs tabular-nums sm:ml-auto sm:self-end sm:pb-0.5 sm:text-right"
    >
      <span className="block">
        {cost ? <span>{formatUsd(cost.costUsd)} a run</span> : null}
        <span className={cost ? "max-sm:hidden" : undefined}>
          {cost ? ", " : null}
          {priceText(model)}
        </span>
      </span>
      <span className="block">
        {limitText(spendsAs)}
        <span className="max-sm:hidden">, {formatCount(Math.min(rates.perAccount, rates.perKey))} a second</span>
      </span>
    </p>
  )
}
