"use client"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import type { Threshold } from "@/lib/shared/runs/thresholds"
import { useDispatch } from "../model/playground-store"

interface OtherModelNoticeProps {
  name: string
  /** Undefined while the question has the default threshold. */
  threshold: Threshold | undefined
  /** The pinned model that answered. */
  model: string
}

/** Warns when a threshold was set for another model than the one that answered. */
export function OtherModelNotice({ name, threshold, model }: OtherModelNoticeProps) {
  const dispatch = useDispatch()
  if (!threshold || threshold.model === model) return null
  const set = (next: Threshold | null) => dispatch({ type: "threshold_changed", name, threshold: next })
  return (
    <Alert
      tone="warn"
      title="This threshold was set for another model"
      action={
        <span className="flex gap-2">
          <Button variant="secondary" size="sm" onClick={() => set({ ...threshold, model })}>
            Keep for this model
          </Button>
          <Button variant="secondary" size="sm" onClick={() => set(null)}>
            Reset
          </Button>
        </span>
      }
    >
      Set for <span className="wrap-anywhere font-mono text-sm">{threshold.model}</span>, answered by{" "}
      <span className="wrap-anywhere font-mono text-sm">{model}</span>. Answers of different models are not comparable.
    </Alert>
  )
}
