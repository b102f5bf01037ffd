"use client"
import { Play, Square } from "lucide-react"
import { ModelField, priceText } from "@/components/run-choices"
import { afterPress } from "@/components/timing/after-paint"
import { Button } from "@/components/ui/button"
import { formatCost } from "@/lib/shared/format"
import { useAccount, useDispatch, useIsCounting, usePlayground, useRunCost } from "../model/playground-store"
import { ModelCaution } from "./model-caution"

interface RunBarProps {
  onRun: () => void
  onStop: () => void
}

export function RunBar({ onRun, onStop }: RunBarProps) {
  const { models } = useAccount()
  const dispatch = useDispatch()
  const model = usePlayground(({ request }) => request.form.model)
  const modelError = usePlayground(({ request }) => request.errors.model)
  // Restoring the draft replaces the choice, so one made before would be lost.
  const isReady = usePlayground((state) => state.isReady)
  return (
    <div
      data-bottom-bar
      className="sticky short:static bottom-0 z-10 -mx-4 flex items-center gap-x-3 gap-y-2 border-line border-t bg-bg px-4 py-2.5 sm:-mx-8 sm:px-8 lg:mx-0 lg:px-0 lg:pt-3 lg:pb-0"
    >
      <ModelField
        isInline
        models={models}
        value={model}
        error={modelError}
        disabled={!isReady}
        className="min-w-0 flex-1 text-sm sm:max-w-72 xl:max-w-md max-sm:[&>label]:sr-only"
        onChoose={(next) => dispatch({ type: "model_chosen", model: next })}
      />
      <ModelCaution />
      <CostLine />
      <RunButtons onRun={onRun} onStop={onStop} />
    </div>
  )
}

function RunButtons({ onRun, onStop }: RunBarProps) {
  const isReady = usePlayground((state) => state.isReady)
  const isRunning = usePlayground((state) => state.run.phase === "running")
  return (
    <div className="flex shrink-0 justify-end gap-2">
      {isRunning ? (
        <Button variant="secondary" onClick={onStop}>
          <Square aria-hidden className="size-3.5" />
          Stop
        </Button>
      ) : null}
      <Button
        onClick={(event) => afterPress(event, onRun)}
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

const perRun = (costUsd: string): string => {
  const text = formatCost(costUsd)
  return text === "Free" ? text : `${text} per run`
}

function CostLine() {
  const { models, keys } = useAccount()
  const model = usePlayground(({ request }) => request.form.model)
  const keyId = usePlayground(({ request }) => request.form.keyId)
  const cost = useRunCost()
  const isCounting = useIsCounting()
  const price = priceText(models.find(({ id }) => id === model))
  const payer = keys.find(({ id }) => id === keyId)?.name ?? "Playground"
  return (
    <p
      aria-busy={isCounting}
      title={price}
      className="ml-auto min-w-0 truncate text-right text-ink-muted text-sm tabular-nums max-sm:hidden"
    >
      {cost ? perRun(cost.costUsd) : price}
      <span className="max-xl:hidden">, charged to {payer}</span>
    </p>
  )
}
