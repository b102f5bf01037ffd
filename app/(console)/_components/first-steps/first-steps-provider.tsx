"use client"
import { createContext, type ReactNode, useContext, useEffect, useState } from "react"
import { countDone, type FirstSteps, STEP_NAMES } from "@/lib/shared/first-steps/steps"
import { markFirstStepsAction } from "./actions"
import { ANSWER_READ } from "./answer-read"

const ASK_EVERY_MS = 2_500
/** A tab that nobody touches for so long stops asking, so that it does not keep the session alive. */
const IDLE_MS = 600_000

interface FirstStepsContext {
  steps: FirstSteps
  /** A step was open when this page was loaded: all done is then worth saying. */
  wasOpen: boolean
  mark: (what: "answer-read" | "hidden" | "shown") => void
}

const Context = createContext<FirstStepsContext | null>(null)

/** The first steps as they are now; null outside the console's frame. */
export const useFirstSteps = (): FirstStepsContext | null => useContext(Context)

/** Asks how far the member has come, every few seconds while the page is looked at and a step is open. */
function usePolled(isOpen: boolean, take: (steps: FirstSteps) => void): void {
  useEffect(() => {
    if (!isOpen) return
    let touchedAt = Date.now()
    const touch = () => {
      touchedAt = Date.now()
    }
    const ask = async () => {
      if (document.visibilityState !== "visible" || Date.now() - touchedAt > IDLE_MS) return
      const response = await fetch("/first-steps").catch(() => null)
      if (response?.ok) take(await response.json())
    }
    const timer = setInterval(ask, ASK_EVERY_MS)
    const signs = ["pointerdown", "keydown", "focus"]
    for (const sign of signs) window.addEventListener(sign, touch)
    return () => {
      clearInterval(timer)
      for (const sign of signs) window.removeEventListener(sign, touch)
    }
  }, [isOpen, take])
}

/** Keeps the first steps for the frame and its pages; they tick themselves off without a reload. */
export function FirstStepsProvider({ initial, children }: { initial: FirstSteps; children: ReactNode }) {
  const [seen, setSeen] = useState(initial)
  const [wasOpen] = useState(countDone(initial) < STEP_NAMES.length)
  const steps: FirstSteps = {
    keyCreated: initial.keyCreated || seen.keyCreated,
    decisionSent: initial.decisionSent || seen.decisionSent,
    answerRead: initial.answerRead || seen.answerRead,
    isHidden: initial.isHidden,
  }
  const isOpen = countDone(steps) < STEP_NAMES.length
  usePolled(isOpen && !steps.isHidden, setSeen)
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
  const mark: FirstStepsContext["mark"] = (what) => {
    markFirstStepsAction(what).catch(() => undefined)
  }
  return <Context value={{ steps, wasOpen, mark }}>{children}</Context>
}
