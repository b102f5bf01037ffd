"use client"
import { Slider } from "@base-ui/react/slider"
import clsx from "clsx"
import type { ReactNode } from "react"
import { actionOf, DEFAULT_BAND, isBand, thresholdText } from "@/lib/shared/runs/thresholds"
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
  band: { low: number | null; high: number | null }
  onBand: (band: { low: number | null; high: number | null }) => void
}

const LABELS = { no: "No", review: "Review", yes: "Yes" } as const
const twoDecimals = (value: number): number => Math.round(value * 100) / 100

/** No probability is below 0, so a band that begins there never answers no. */
const endsOf = (low: number): number | null => (low === 0 ? null : twoDecimals(low))

function BandSlider({ name, yes, band, onBand }: BandSliderProps) {
  const action = actionOf(yes, band)
  const [low, high] = [band.low ?? 0, band.high ?? 1]
  const texts = [
    band.low === null ? "never no" : `no below ${thresholdText(band.low)}`,
    band.high === null ? "never yes" : `yes from ${thresholdText(band.high)}`,
  ]
  return (
    <Slider.Root
      value={[low, high]}
      // An end that does not move keeps its value, with all digits and "never".
      onValueChange={([first = low, second = high]) =>
        onBand({
          low: first === low ? band.low : endsOf(first),
          high: second === high ? band.high : twoDecimals(second),
        })
      }
      min={0}
      max={1}
      step={0.01}
      largeStep={0.1}
      thumbCollisionBehavior="none"
    >
      <Slider.Control className="-mt-1.5 flex h-5 touch-none select-none items-center pointer-coarse:h-11">
        <Slider.Track className="h-1 w-full rounded-full bg-line">
          <Slider.Indicator className="rounded-full bg-line-strong" />
          {texts.map((_, index) => (
            <Slider.Thumb
              // biome-ignore lint/suspicious/noArrayIndexKey: there are always two thumbs in this order
              key={index}
              index={index}
              getAriaLabel={() => `${name}: ${index === 0 ? "no below" : "yes from"}`}
              getAriaValueText={() => `${texts[index]}, this answer: ${LABELS[action]}`}
              className={THUMB}
            />
          ))}
        </Slider.Track>
      </Slider.Control>
      <p className="flex justify-between gap-2 text-ink-muted text-sm tabular-nums">
        <span>{texts[0]}</span>
        <span className="text-ink">
          Action:{" "}
          <span className={clsx("font-semibold", action === "review" && "text-warn")} data-action={action}>
            {LABELS[action]}
          </span>
        </span>
        <span>{texts[1]}</span>
      </p>
    </Slider.Root>
  )
}
