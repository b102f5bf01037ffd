"use client"
import { Slider } from "@base-ui/react/slider"
import clsx from "clsx"
import { Exact } from "@/components/charts/exact"
import { Button } from "@/components/ui/button"
import {
  acceptanceOf,
  comparedBy,
  DEFAULT_FLOOR,
  isMinimum,
  type Minimum,
  thresholdText,
  withFrom,
} from "@/lib/shared/runs/thresholds"
import type { PreparedAnswer } from "@/questions/question-types"
import { useDispatch, usePlayground } from "../model/playground-store"
import { OtherModelNotice } from "./other-model-notice"
import { THUMB } from "./threshold-thumb"

interface FloorControlProps {
  answer: PreparedAnswer
  /** The pinned model that answered. */
  model: string
}

const LABELS = { accept: "Accept", review: "Review" } as const

/** Shows the share of an answer that its threshold compares, and the threshold below which it is reviewed. */
export function FloorControl({ answer, model }: FloorControlProps) {
  const { name } = answer
  const dispatch = useDispatch()
  const stored = usePlayground((state) => state.thresholds.get(name))
  const floor: Minimum = { ...DEFAULT_FLOOR, model }
  const accepted = isMinimum(stored) ? comparedBy(answer, stored) : null
  const set = isMinimum(stored) && accepted ? stored : undefined
  const compared = accepted ?? comparedBy(answer, floor)
  if (!compared) return null
  const { label, share, from } = compared
  const action = acceptanceOf(share.value, from)
  const limit = from === null ? "never accepted" : `review below ${thresholdText(from)}`
  const change = (value: number) => {
    const next = withFrom(answer, set ?? floor, Math.round(value * 100) / 100)
    dispatch({ type: "threshold_changed", name, threshold: { ...next, model } })
  }
  return (
    <>
      <div className="grid grid-cols-[auto_auto] items-center justify-between gap-x-4 text-sm tabular-nums @md:grid-cols-[auto_minmax(0,1fr)_auto]">
        <p className="text-ink-muted">
          {label} <Exact text={share.value.toFixed(3)} exact={share.exact} side="left" className="text-ink" />
        </p>
        <Slider.Root
          value={from ?? 1}
          onValueChange={(value) => change(value as number)}
          min={0}
          max={1}
          step={0.01}
          largeStep={0.1}
          className="@max-md:order-last @max-md:col-span-2"
        >
          <Slider.Control className="flex h-5 touch-none select-none items-center pointer-coarse:h-11">
            <Slider.Track className="h-1 w-full rounded-full bg-line">
              <svg aria-hidden="true" className="absolute inset-0 size-full rounded-full">
                <rect width={`${share.value * 100}%`} height="100%" className="fill-probability-muted" />
              </svg>
              <Slider.Thumb
                getAriaLabel={() => `${name}: review below ${labelOf(label)} of`}
                getAriaValueText={() => `${limit}, this answer: ${LABELS[action]}`}
                className={THUMB}
              />
            </Slider.Track>
          </Slider.Control>
        </Slider.Root>
        <p className="text-ink-muted">
          {limit}:{" "}
          <span className={clsx("font-semibold", action === "review" ? "text-warn" : "text-ink")} data-action={action}>
            {LABELS[action]}
          </span>
        </p>
      </div>
      {set && !("confidence" in set) ? (
        <p className="text-ink-muted text-sm">
          {noteOf(set)}{" "}
          <Button
            variant="quiet"
            size="sm"
            className="-ml-2"
            onClick={() => dispatch({ type: "threshold_changed", name, threshold: null })}
          >
            Use the confidence instead
          </Button>
        </p>
      ) : null}
      <OtherModelNotice name={name} threshold={set} model={model} />
    </>
  )
}

/** Says which threshold of Evaluate this is. */
function noteOf(set: Exclude<Minimum, { confidence: number }>): string {
  if ("options" in set) return "Each option has its own threshold, accepted in Evaluate."
  if ("probability" in set) return "The probability of the answer’s option, accepted in Evaluate."
  return "The levels at most one away from the rounded score, together. Accepted in Evaluate."
}

const labelOf = (label: string): string => `a ${label.charAt(0).toLowerCase()}${label.slice(1)}`
