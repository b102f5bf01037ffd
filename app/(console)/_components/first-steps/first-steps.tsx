"use client"
import { CircleCheck, CircleDashed } from "lucide-react"
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react"
import { usePoll } from "@/components/timing/use-poll"
import { countDone, type FirstSteps, STEP_NAMES, type StepName } from "@/lib/shared/first-steps/steps"
import { markFirstStepsAction } from "./actions"

const POLL_EVERY_MS = 2_500
/** An untouched tab stops polling after this time, so that it does not keep the session alive. */
const IDLE_MS = 600_000

const ANSWER_READ = "svc:answer-read"

/** Announces that the user sees an answer or its explanation, which completes the last of the first steps. */
export const announceAnswerRead = (): void => {
  window.dispatchEvent(new Event(ANSWER_READ))
}

interface FirstStepsContext {
  steps: FirstSteps
  /** True when a step was open as the page loaded. "All done" is shown only then. */
  hadOpenSteps: boolean
}

const Context = createContext<FirstStepsContext | null>(null)

/** Returns the current first steps; null for a member who cannot take them, and outside a `FirstStepsProvider`. */
export const useFirstSteps = (): FirstStepsContext | null => useContext(Context)

/** Returns a function that reports whether the page is visible and was used within the last ten minutes. */
function useIsInUse(): () => boolean {
  const usedAt = useRef(0)
  useEffect(() => {
    const onUse = () => {
      usedAt.current = Date.now()
    }
    onUse()
    const events = ["pointerdown", "keydown", "focus"]
    for (const event of events) window.addEventListener(event, onUse)
    return () => {
      for (const event of events) window.removeEventListener(event, onUse)
    }
  }, [])
  return () => document.visibilityState === "visible" && Date.now() - usedAt.current <= IDLE_MS
}

interface FirstStepsProviderProps {
  /** Null for a member who cannot take the steps. */
  initial: FirstSteps | null
  children: ReactNode
}

/** Provides the first steps to the console, and updates them without a reload. */
export function FirstStepsProvider({ initial, children }: FirstStepsProviderProps) {
  return initial ? <UpdatedSteps initial={initial}>{children}</UpdatedSteps> : children
}

function UpdatedSteps({ initial, children }: { initial: FirstSteps; children: ReactNode }) {
  const [seen, setSeen] = useState(initial)
  const [hadOpenSteps] = useState(countDone(initial) < STEP_NAMES.length)
  const steps: FirstSteps = {
    keyCreated: initial.keyCreated || seen.keyCreated,
    decisionSent: initial.decisionSent || seen.decisionSent,
    answerRead: initial.answerRead || seen.answerRead,
    isHidden: initial.isHidden,
  }
  const hasOpenSteps = countDone(steps) < STEP_NAMES.length
  const isInUse = useIsInUse()
  usePoll(
    hasOpenSteps && !steps.isHidden,
    () => POLL_EVERY_MS,
    async () => {
      if (!isInUse()) return
      const response = await fetch("/first-steps").catch(() => null)
      if (!response?.ok) return
      const now: FirstSteps | null = await response.json()
      if (!now) return
      // A response from before the answer was read must not undo it.
      setSeen((before) => ({ ...now, answerRead: now.answerRead || before.answerRead }))
    },
  )
  const { answerRead } = steps
  useEffect(() => {
    if (answerRead) return
    const onRead = () => {
      setSeen((before) => ({ ...before, decisionSent: true, answerRead: true }))
      markFirstStepsAction("answer-read").catch(() => undefined)
    }
    window.addEventListener(ANSWER_READ, onRead)
    return () => window.removeEventListener(ANSWER_READ, onRead)
  }, [answerRead])
  return <Context value={{ steps, hadOpenSteps }}>{children}</Context>
}

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
