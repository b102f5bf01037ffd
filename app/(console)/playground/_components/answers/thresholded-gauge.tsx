"use client"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { START } from "@/lib/shared/playground/thresholds"
import type { NoulGauge as Gauge } from "@/questions/noul/noul"
import { NoulGauge } from "@/questions/noul/noul-gauge"
import { ThresholdSlider } from "./threshold-slider"
import type { Thresholds } from "./use-thresholds"

interface ThresholdedGaugeProps extends Thresholds {
  name: string
  gauge: Gauge
  /** The pinned model that answered. */
  model: string
}

/** A noul answer with the band that turns it into an action. */
export function ThresholdedGauge({ name, gauge, model, bands, setBand }: ThresholdedGaugeProps) {
  const set = bands.get(name)
  const band = set ?? START
  const isForeign = set !== undefined && set.model !== model
  return (
    <>
      <NoulGauge name={name} chart={gauge} band={band}>
        <ThresholdSlider
          name={name}
          yes={gauge.yes.value}
          band={band}
          onBand={({ low, high }) => setBand(name, { low, high, model })}
        />
      </NoulGauge>
      {isForeign ? (
        <Alert
          tone="warn"
          title="These thresholds were set for another model"
          action={
            <span className="flex gap-2">
              <Button variant="secondary" size="sm" onClick={() => setBand(name, { ...band, model })}>
                Keep for this model
              </Button>
              <Button variant="secondary" size="sm" onClick={() => setBand(name, null)}>
                Reset
              </Button>
            </span>
          }
        >
          Set for <span className="wrap-anywhere font-mono text-sm">{set.model}</span>, answered by{" "}
          <span className="wrap-anywhere font-mono text-sm">{model}</span>. Their probabilities are not comparable.
        </Alert>
      ) : null}
    </>
  )
}
