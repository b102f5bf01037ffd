"use client"
import { Slider } from "@base-ui/react/slider"
import clsx from "clsx"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { actionOf, DEFAULT_BAND } from "@/lib/shared/runs/thresholds"
import type { NoulGauge as Gauge } from "@/questions/noul/noul"
import { NoulGauge } from "@/questions/noul/noul-gauge"
import { useDispatch, usePlayground } from "../model/playground-store"

interface ThresholdedGaugeProps {
  name: string
  gauge: Gauge
  model: string
}

export function ThresholdedGauge({ name, gauge, model }: ThresholdedGaugeProps) {
  const dispatch = useDispatch()
  const set = usePlayground((state) => state.bands.get(name))
  const band = set ?? DEFAULT_BAND
  return (
    <>
      <NoulGauge name={name} chart={gauge} band={band}>
        <ThresholdSlider
          name={name}
          yes={gauge.yes.value}
          band={band}
          onBand={({ low, high }) => dispatch({ type: "band_changed", name, band: { low, high, model } })}
        />
      </NoulGauge>
      {set !== undefined && set.model !== model ? (
        <Alert
          tone="warn"
          title="These thresholds were set for another model"
          action={
            <span className="flex gap-2">
              <Button
                variant="secondary"
                size="sm"
                onClick={() => dispatch({ type: "band_changed", name, band: { ...set, model } })}
              >
                Keep for this model
              </Button>
              <Button
                variant="secondary"
                size="sm"
                onClick={() => dispatch({ type: "band_changed", name, band: null })}
              >
                Reset
              </Button>
            </span>
          }
        >
          Set for <span className="wrap-anywhere font-mono text-sm">{set.model}</span>, answered by{" "}
          <span className="wrap-anywhere font-mono text-sm">{model}</span>. Probabilities of different models are not
          comparable.
        </Alert>
      ) : null}
    </>
  )
}

interface ThresholdSliderProps {
  name: string
  yes: number
  band: { low: number; high: number }
  onBand: (band: { low: number; high: number }) => void
}

const LABELS = { no: "No", review: "Review", yes: "Yes" } as const
const twoDecimals = (value: number): number => Math.round(value * 100) / 100

function ThresholdSlider({ name, yes, band, onBand }: ThresholdSliderProps) {
  const { low, high } = band
  const action = actionOf(yes, band)
  const valueText = (side: string, value: number) => `${side} ${value.toFixed(2)}, this answer: ${LABELS[action]}`
  return (
    <Slider.Root
      value={[low, high]}
      onValueChange={([first = low, second = high]) => onBand({ low: twoDecimals(first), high: twoDecimals(second) })}
      min={0}
      max={1}
      step={0.01}
      largeStep={0.1}
      thumbCollisionBehavior="none"
    >
      <Slider.Control className="flex h-6 touch-none select-none items-center pointer-coarse:h-11">
        <Slider.Track className="h-1 w-full rounded-full bg-line">
          <Slider.Indicator className="rounded-full bg-line-strong" />
          {[low, high].map((value, index) => (
            <Slider.Thumb
              // biome-ignore lint/suspicious/noArrayIndexKey: there are always two thumbs in this order
              key={index}
              index={index}
              getAriaLabel={() => `${name}: ${index === 0 ? "no below" : "yes from"}`}
              getAriaValueText={() => valueText(index === 0 ? "no below" : "yes from", value)}
              className="size-4 rounded-full border-2 border-accent bg-surface shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
            />
          ))}
        </Slider.Track>
      </Slider.Control>
      <p className="flex justify-between gap-2 text-ink-muted text-sm tabular-nums">
        <span>no below {low.toFixed(2)}</span>
        <span>{low === high ? null : "review between"}</span>
        <span>yes from {high.toFixed(2)}</span>
      </p>
      <p className="mt-1 text-sm">
        Action:{" "}
        <span className={clsx("font-semibold", action === "review" && "text-warn")} data-action={action}>
          {LABELS[action]}
        </span>
      </p>
    </Slider.Root>
  )
}
