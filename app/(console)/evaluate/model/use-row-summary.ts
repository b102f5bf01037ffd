"use client"
import { useEffect, useEffectEvent } from "react"
import { runInSlices } from "@/components/timing/run-in-slices"
import { labelledQuestionsOf } from "@/lib/shared/evaluate/rows/read-rows"
import { summarizeRows } from "@/lib/shared/evaluate/rows/summarize-rows"
import { useOpenSet, useOpenSetStore } from "./open-set"

/** Changes are read after a short delay, because templates and questions are typed. */
const PAUSE_MS = 250

/** Keeps the summary of the rows up to date with mapping and questions, a few milliseconds at a time. */
export function useRowSummary(): void {
  const { getState, update } = useOpenSetStore()
  const mapping = useOpenSet(({ set }) => set.mapping)
  const questions = useOpenSet(({ set }) => set.form.questions)
  const read = useEffectEvent(async (signal: AbortSignal) => {
    const { set, rows } = getState()
    const reading = summarizeRows(set, rows, labelledQuestionsOf(set.form))
    const summary = await runInSlices(reading, signal)
    if (summary) update({ summary })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again after every change of mapping and questions
  useEffect(() => {
    const controller = new AbortController()
    const isFirst = getState().summary === null
    const timer = setTimeout(() => read(controller.signal), isFirst ? 0 : PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [mapping, questions])
}
