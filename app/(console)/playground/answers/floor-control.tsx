"use client"
import { Slider } from "@base-ui/react/slider"
import clsx from "clsx"
import { Exact } from "@/components/charts/exact"
import { acceptanceOf, DEFAULT_FLOOR, isFloor } from "@/lib/shared/runs/thresholds"
import type { Share } from "@/questions/display"
import { useDispatch, usePlayground } from "../model/playground-store"
import { OtherModelNotice } from "./other-model-notice"
import { THUMB } from "./threshold-thumb"

interface FloorControlProps {
  name: string
  confidence: Share
  /** The pinned model that answered. */
  model: string
}

const LABELS = { accept: "Accept", review: "Review" } as const

/** Shows an answer's confidence and the threshold below which it is reviewed. */
export function FloorControl({ name, confidence, model }: FloorControlProps) {
  const dispatch = useDispatch()
  const stored = usePlayground((state) => state.thresholds.get(name))
  const set = isFloor(stored) ? stored : undefined
  const floor = set ?? DEFAULT_FLOOR
  const action = acceptanceOf(confidence.value, floor)
  const limit = floor.confidence.toFixed(2)
  return (
    <>
      <div className="grid grid-cols-[auto_auto] items-center justify-between gap-x-4 text-sm tabular-nums @md:grid-cols-[auto_minmax(0,1fr)_auto]">
        <p className="text-ink-muted">
          Confidence{" "}
          <Exact text={confidence.value.toFixed(3)} exact={confidence.exact} side="left" className="text-ink" />
        </p>
        <Slider.Root
          value={floor.confidence}
          onValueChange={(value) => {
            const next = Math.round((value as number) * 100) / 100
            dispatch({ type: "threshold_changed", name, threshold: { confidence: next, model } })
          }}
          min={0}
          max={1}
          step={0.01}
          largeStep={0.1}
          className="@max-md:order-last @max-md:col-span-2"
        >
          <Slider.Control className="flex h-5 touch-none select-none items-center pointer-coarse:h-11">
            <Slider.Track className="h-1 w-full rounded-full bg-line">
              <svg aria-hidden="true" className="absolute inset-0 size-full rounded-full">
                <rect width={`${confidence.value * 100}%`} height="100%" className="fill-probability-muted" />
              </svg>
              <Slider.Thumb
                getAriaLabel={() => `${name}: review below a confidence of`}
                getAriaValueText={() => `${limit}, this answer: ${LABELS[action]}`}
                className={THUMB}
              />
            </Slider.Track>
          </Slider.Control>
        </Slider.Root>
        <p className="text-ink-muted">
          review below {limit}:{" "}
          <span className={clsx("font-semibold", action === "review" ? "text-warn" : "text-ink")} data-action={action}>
            {LABELS[action]}
          </span>
        </p>
      </div>
      <OtherModelNotice name={name} threshold={set} model={model} />
    </>
  )
}
