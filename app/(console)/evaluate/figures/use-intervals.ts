"use client"
import { useEffect, useState } from "react"
import type { QuestionTypeName } from "@/questions/question-types"
import type { Intervals } from "./figure"

export const BOOTSTRAP_SEED = 1

/** Returns 95% intervals of a question's figures: empty until a worker has computed them, or when it cannot run. */
export function useIntervals(type: QuestionTypeName, data: unknown): Intervals {
  const [found, setFound] = useState<{ data: unknown; intervals: Intervals } | null>(null)
  useEffect(() => {
    const worker = new Worker(new URL("./interval-worker.ts", import.meta.url), { type: "module" })
    worker.addEventListener("message", (event: MessageEvent<Intervals>) => {
      setFound({ data, intervals: event.data })
      worker.terminate()
    })
    worker.postMessage({ type, data, seed: BOOTSTRAP_SEED })
    return () => worker.terminate()
  }, [type, data])
  return found !== null && found.data === data ? found.intervals : NONE
}

const NONE: Intervals = {}
