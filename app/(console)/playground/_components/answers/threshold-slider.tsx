"use client"
import { Slider } from "@base-ui/react/slider"
import clsx from "clsx"
import { actionOf } from "@/lib/shared/playground/thresholds"

interface ThresholdSliderProps {
  name: string
  yes: number
  band: { low: number; high: number }
  onBand: (band: { low: number; high: number }) => void
}

const WORDS = { no: "No", review: "Review", yes: "Yes" } as const
const two = (value: number): number => Math.round(value * 100) / 100

/** Two thumbs between no, review and yes, and what that makes of this answer. */
export function ThresholdSlider({ name, yes, band, onBand }: ThresholdSliderProps) {
  const { low, high } = band
  const action = actionOf(yes, band)
  const said = (side: string, value: number) => `${side} ${value.toFixed(2)}, this answer: ${WORDS[action]}`
  return (
    <Slider.Root
      value={[low, high]}
      onValueChange={([first = low, second = high]) => onBand({ low: two(first), high: two(second) })}
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
              // biome-ignore lint/suspicious/noArrayIndexKey: the thumbs are two and never change places
              key={index}
              index={index}
              getAriaLabel={() => `${name}: ${index === 0 ? "no below" : "yes from"}`}
              getAriaValueText={() => said(index === 0 ? "no below" : "yes from", value)}
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
          {WORDS[action]}
        </span>
      </p>
    </Slider.Root>
  )
}
