"use client"
import { CircleCheck, CircleDashed } from "lucide-react"
import type { StepName } from "@/lib/shared/first-steps/steps"
import { useFirstSteps } from "./first-steps-provider"

/** Whether a step is done, as a mark and for assistive technology in a word. */
export function StepMark({ name }: { name: StepName }) {
  const done = useFirstSteps()?.steps[name] ?? false
  const Icon = done ? CircleCheck : CircleDashed
  return (
    <>
      <Icon aria-hidden className={done ? "size-4 shrink-0 text-ok" : "size-4 shrink-0 text-ink-muted"} />
      <span className="sr-only">{done ? "Done: " : "To do: "}</span>
    </>
  )
}
