"use client"
import { Play, Square } from "lucide-react"
import { KeyField, limitText, ModelField, priceText } from "@/components/run-choices"
import { Button } from "@/components/ui/button"
import { formatCount, formatUsd } from "@/lib/shared/format"
import type { KeyChoice, ModelChoice } from "@/lib/shared/runs/model-choice"
import { useAccount, useDispatch, usePlayground, useRunCost } from "../model/playground-store"

interface RunBarProps {
  onRun: () => void
  onStop: () => void
}

export function RunBar({ onRun, onStop }: RunBarProps) {
  const { models, keys } = useAccount()
  const dispatch = useDispatch()
  const model = usePlayground(({ request }) => request.form.model)
  const keyId = usePlayground(({ request }) => request.form.keyId)
  const modelError = usePlayground(({ request }) => request.errors.model)
  // Restoring the draft replaces both choices, so one made before would be lost.
  const isReady = usePlayground((state) => state.isReady)
  return (
    <div
      data-bottom-bar
      className="sticky short:static bottom-0 z-10 -mx-4 grid grid-cols-2 items-end gap-x-3 gap-y-2 border-line border-t bg-bg px-4 py-3 sm:-mx-8 sm:flex sm:px-8 lg:mx-0 lg:px-0"
    >
      <ModelField
        models={models}
        value={model}
        error={modelError}
        disabled={!isReady}
        className="min-w-0 text-sm sm:w-56 xl:w-96"
        onChange={(next) => dispatch({ type: "model_chosen", model: next })}
      />
      <KeyField
        keys={keys}
        value={keyId}
        disabled={!isReady}
        className="min-w-0 text-sm sm:w-40 xl:w-48"
        onChange={(next) => dispatch({ type: "key_chosen", keyId: next })}
      />
      <CostLine model={models.find(({ id }) => id === model)} payingKey={keys.find(({ id }) => id === keyId)} />
      <RunButtons onRun={onRun} onStop={onStop} />
    </div>
  )
}

function RunButtons({ onRun, onStop }: RunBarProps) {
  const isReady = usePlayground((state) => state.isReady)
  const isRunning = usePlayground((state) => state.run.phase === "running")
  return (
    <div className="flex justify-end gap-2">
      {isRunning ? (
        <Button variant="secondary" onClick={onStop}>
          <Square aria-hidden className="size-3.5" />
          Stop
        </Button>
      ) : null}
      <Button
        onClick={onRun}
        disabled={!isReady}
        pending={isRunning}
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

interface CostLineProps {
  model: ModelChoice | undefined
  /** Undefined: the account's Playground key. */
  payingKey: KeyChoice | undefined
}

function CostLine({ model, payingKey }: CostLineProps) {
  const { rates } = useAccount()
  const { cost, isCounting } = useRunCost()
  return (
    <p
      aria-busy={isCounting}
      className="min-w-0 self-center text-ink-muted text-xs tabular-nums sm:ml-auto sm:self-end sm:pb-0.5 sm:text-right"
    >
      <span className="block">
        {cost ? <span>{formatUsd(cost.costUsd)} per run</span> : null}
        <span className={cost ? "max-sm:hidden" : undefined}>
          {cost ? ", " : null}
          {priceText(model)}
        </span>
      </span>
      <span className="block">
        {limitText(payingKey)}
        <span className="max-sm:hidden">, {formatCount(Math.min(rates.perAccount, rates.perKey))} requests/s</span>
      </span>
    </p>
  )
}
