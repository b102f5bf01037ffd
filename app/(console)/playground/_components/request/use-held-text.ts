"use client"
import { useEffect, useRef } from "react"
import type { Settled } from "./settled"
import { useLatest } from "./use-latest"

/** How long typing must pause before the text is taken over. */
const HOLD_MS = 250

interface HeldTextInput {
  /** The form's text. */
  value: string
  settled: Settled
  /** The editor's text; undefined while there is none. */
  read: () => string | undefined
  onText: (text: string) => void
}

/** What an editor holds back while somebody types: given to the form at a pause, when it is asked for, and at the end. */
export function useHeldText({ value, settled, read, onText }: HeldTextInput) {
  /** The text that the form and the editor agree on. */
  const agreed = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const drop = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  const collect = useLatest(() => {
    if (timer.current === undefined) return
    drop()
    const text = read() ?? agreed.current
    if (text === agreed.current) return
    agreed.current = text
    onText(text)
  })
  const onInput = useLatest(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(collect, HOLD_MS)
    // What a key changes elsewhere on the page is drawn after the key itself.
    requestAnimationFrame(() => setTimeout(settled.touch))
  })
  useEffect(() => {
    const removeWriter = settled.addWriter(collect)
    return () => {
      collect()
      removeWriter()
    }
  }, [settled, collect])
  return {
    onInput,
    /** Takes over the form's text; false when the editor has it already. */
    agree: useLatest((text: string): boolean => {
      if (text === agreed.current) return false
      agreed.current = text
      drop()
      return true
    }),
  }
}
