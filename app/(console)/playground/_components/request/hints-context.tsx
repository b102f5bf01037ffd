"use client"
import { createContext, type ReactNode, useContext, useEffect, useState } from "react"
import { useFormContext } from "react-hook-form"
import { hintsOf } from "@/lib/shared/playground/hints"
import type { Hint } from "@/lib/shared/playground/hints/hint"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import { useRequestSide } from "./request-context"
import { useLatest } from "./use-latest"

const HintsContext = createContext<Hint[][]>([])
const NONE: Hint[] = []

/** What could be worded better in the question at an index. */
export const useHints = (index: number): Hint[] => useContext(HintsContext)[index] ?? NONE

/** Reads the questions whenever typing pauses. */
export function HintsProvider({ children }: { children: ReactNode }) {
  const { settled } = useRequestSide()
  const { getValues } = useFormContext<PlaygroundForm>()
  const [hints, setHints] = useState<Hint[][]>([])
  const read = useLatest(() => {
    const now = getValues("questions").map(hintsOf)
    const same = JSON.stringify(now) === JSON.stringify(hints)
    if (!same) setHints(now)
  })
  useEffect(() => {
    read()
    return settled.subscribe(read)
  }, [settled, read])
  return <HintsContext value={hints}>{children}</HintsContext>
}
