"use client"
import Link from "next/link"
import { countDone, STEP_NAMES } from "@/lib/shared/first-steps/steps"
import { useFirstSteps } from "./first-steps-provider"

/** For the top bar, where there is no room for the steps themselves. */
export function FirstStepsChip() {
  const context = useFirstSteps()
  if (!context?.wasOpen || context.steps.isHidden) return null
  const done = countDone(context.steps)
  if (done === STEP_NAMES.length) return null
  return (
    <Link
      href="/start"
      className="ml-auto inline-flex h-8 items-center rounded-md bg-accent-soft px-2.5 font-medium text-accent-strong text-sm tabular-nums pointer-coarse:h-11"
    >
      <span className="whitespace-pre max-[22rem]:sr-only">First steps </span>
      {done}/3
    </Link>
  )
}
