"use client"
import { Slider } from "@base-ui/react/slider"
import clsx from "clsx"
import type { ReactNode } from "react"
import { actionOf, DEFAULT_BAND, isBand } from "@/lib/shared/runs/thresholds"
import type { Share } from "@/questions/display"
import type { PreparedAnswer } from "@/questions/question-types"
import { AnswerChart } from "@/questions/question-views"
import { useDispatch, usePlayground } from "../model/playground-store"
import { OtherModelNotice } from "./other-model-notice"
import { THUMB } from "./threshold-thumb"

interface BandedChartProps {
  answer: PreparedAnswer
  /** The answer's probability of yes. */
  yes: Share
  /** The pinned model that answered. */
  model: string
  notes: ReactNode
}

/** Draws a probability of yes with the two thresholds that turn it into an action. */
export function BandedChart({ answer, yes, model, notes }: BandedChartProps) {
  const { name } = answer
  const dispatch = useDispatch()
  const stored = usePlayground((state) => state.thresholds.get(name))
  const set = isBand(stored) ? stored : undefined
  const band = set ?? DEFAULT_BAND
  return (
    <>
      <AnswerChart answer={answer} band={band} notes={notes}>
        <BandSlider
          name={name}
          yes={yes.value}
          band={band}
          onBand={({ low, high }) => dispatch({ type: "threshold_changed", name, threshold: { low, high, model } })}
        />
      </AnswerChart>
      <OtherModelNotice name={name} threshold={set} model={model} />
    </>
  )
}

interface BandSliderProps {
  name: string
  yes: number
  band: { low: number; high: number }
  onBand: (band: { low: number; high: number }) => void
}

const LABELS = { no: "No", review: "Review", yes: "Yes" } as const
const twoDecimals = (value: number): number => Math.round(value * 100) / 100

function BandSlider({ name, yes, band, onBand }: BandSliderProps) {
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
      <Slider.Control className="-mt-1.5 flex h-5 touch-none select-none items-center pointer-coarse:h-11">
        <Slider.Track className="h-1 w-full rounded-full bg-line">
          <Slider.Indicator className="rounded-full bg-line-strong" />
          {[low, high].map((value, index) => (
            <Slider.Thumb
              // biome-ignore lint/suspicious/noArrayIndexKey: there are always two thumbs in this order
              key={index}
              index={index}
              getAriaLabel={() => `${name}: ${index === 0 ? "no below" : "yes from"}`}
              getAriaValueText={() => valueText(index === 0 ? "no below" : "yes from", value)}
              className={THUMB}
            />
          ))}
        </Slider.Track>
      </Slider.Control>
      <p className="flex justify-between gap-2 text-ink-muted text-sm tabular-nums">
        <span>no below {low.toFixed(2)}</span>
        <span className="text-ink">
          Action:{" "}
          <span className={clsx("font-semibold", action === "review" && "text-warn")} data-action={action}>
            {LABELS[action]}
          </span>
        </span>
        <span>yes from {high.toFixed(2)}</span>
      </p>
    </Slider.Root>
  )
}
