import { Exact } from "@/components/charts/exact"
import type { Share } from "./display"

export function ConfidenceFigure({ confidence }: { confidence: Share }) {
  return (
    <p className="text-ink-muted text-sm">
      Confidence <Exact text={confidence.value.toFixed(3)} exact={confidence.exact} side="left" className="text-ink" />
    </p>
  )
}
