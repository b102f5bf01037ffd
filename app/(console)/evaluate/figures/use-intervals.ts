"use client"
import { useEffect, useState } from "react"
import type { Intervals } from "@/lib/shared/evaluate/figures/evaluation-figures"
import type { Scale } from "@/questions/question-type"
import type { IntervalMessage, IntervalRequest } from "./interval-worker"

const BOOTSTRAP_SEED = 1

/**
 * Returns 95% intervals of a question's figures, or of the differences to `second`. Empty until a worker has computed them, or
 * when it cannot run.
 */
export function useIntervals(scale: Scale, data: unknown, second?: unknown): Intervals {
  const [found, setFound] = useState<{ data: unknown; intervals: Intervals } | null>(null)
  useEffect(() => {
    const worker = new Worker(new URL("./interval-worker.ts", import.meta.url), { type: "module" })
    const request: IntervalRequest = { scale, data, seed: BOOTSTRAP_SEED, ...(second !== undefined && { second }) }
    worker.addEventListener("message", ({ data: message }: MessageEvent<IntervalMessage>) => {
      if (message.type === "ready") return worker.postMessage(request)
      setFound({ data, intervals: message.intervals })
      worker.terminate()
    })
    return () => worker.terminate()
  }, [scale, data, second])
  return found !== null && found.data === data ? found.intervals : NONE
}

const NONE: Intervals = {}
