"use client"
import { useMemo } from "react"
import { CalibrationDiagram } from "@/components/calibration/calibration-diagram"
import { Alert } from "@/components/ui/alert"
import { endsText } from "@/lib/shared/evaluate/figures/calibration-verdict"
import { formatFigure } from "@/lib/shared/evaluate/figures/figure-text"
import type { DecisionBand } from "@/lib/shared/statistics/band"
import { corpParts, isotonicSteps } from "@/lib/shared/statistics/isotonic"
import type { Figures } from "./use-figures"

/** Shows how often probabilities come true by rising steps (CORP), with the verdict and the parts of the Brier score. */
export function CalibrationChart({ figures, band }: { figures: Figures; band: DecisionBand | null }) {
  const { calibrated, verdict, band: consistency } = figures
  const { forecasts, event, axis } = calibrated
  const steps = useMemo(() => isotonicSteps(forecasts), [forecasts])
  const parts = useMemo(() => corpParts(forecasts), [forecasts])
  const ends = useMemo(() => endsText(calibrated), [calibrated])
  return (
    <section className="flex flex-col gap-3">
      <CalibrationDiagram
        title="Do the probabilities mean what they say?"
        counted="Rows"
        {...{ event, axis, steps, consistency, band }}
      >
        {verdict ? (
          <Alert tone={verdict.kind === "fits" ? "info" : "warn"} className="max-w-3xl">
            {verdict.text}
          </Alert>
        ) : null}
      </CalibrationDiagram>
      <p className="max-w-text text-ink-muted text-sm">
        The Brier score of this probability is {formatFigure(parts.uncertainty)} (uncertainty: the base rate alone),
        minus {formatFigure(parts.discrimination)} (discrimination: how well the steps separate rows), plus{" "}
        {formatFigure(parts.miscalibration)} (miscalibration: what moving probabilities onto the steps would gain).{" "}
        {ends}
      </p>
    </section>
  )
}
