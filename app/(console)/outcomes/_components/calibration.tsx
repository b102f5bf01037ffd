import { CalibrationDiagram } from "@/components/calibration/calibration-diagram"
import { PROMISES } from "@/lib/shared/evaluate/figures/calibration-verdict"
import { formatFigure } from "@/lib/shared/evaluate/figures/figure-text"
import { formatCount } from "@/lib/shared/format"
import { type LiveFigures, type LiveRule, MAX_BAND_OUTCOMES } from "@/lib/shared/outcomes/live-figures"
import type { Scale } from "@/questions/question-type"

interface CalibrationProps {
  figures: LiveFigures
  scale: Scale
  rule: LiveRule
}

/** Shows whether predictions come true as often as they say. */
export function Calibration({ figures, scale, rule }: CalibrationProps) {
  const { brier, parts, steps, band } = figures
  return (
    <section className="flex flex-col gap-3">
      <CalibrationDiagram
        title="Do the probabilities mean what they say?"
        counted="Outcomes"
        {...PROMISES[scale]}
        steps={steps}
        consistency={band}
        band={{ low: rule.below, high: rule.from }}
      />
      <p className="max-w-text text-ink-muted text-sm">
        The Brier score is {formatFigure(brier)}: {formatFigure(parts.uncertainty)} (uncertainty: the base rate alone)
        minus {formatFigure(parts.discrimination)} (discrimination: how well the steps separate outcomes) plus{" "}
        {formatFigure(parts.miscalibration)} (miscalibration: what moving probabilities onto the steps would gain).
        {band.length === 0
          ? ` The band of a calibrated model is drawn for up to ${formatCount(MAX_BAND_OUTCOMES)} outcomes.`
          : null}
      </p>
    </section>
  )
}
