"use client"
import { useEffect, useState } from "react"
import type { Intervals } from "@/lib/shared/evaluate/figures/evaluation-figures"
import type { BandPoint } from "@/lib/shared/statistics/isotonic"
import type { IntervalMessage, IntervalRequest } from "./interval-worker"

const BOOTSTRAP_SEED = 1

interface FoundIntervals {
  intervals: Intervals
  band: readonly BandPoint[]
  /** False until a worker has computed them, or when it cannot run. */
  isKnown: boolean
}

/**
 * Returns 95% intervals of a question's figures, or of the differences to `second`, and the consistency band of `forecasts`. Empty
 * until a worker has computed them, or when it cannot run.
 */
export function useIntervals({ scale, data, second, forecasts }: Omit<IntervalRequest, "seed">): FoundIntervals {
  const [found, setFound] = useState<(FoundIntervals & { data: unknown }) | null>(null)
  useEffect(() => {
    const worker = new Worker(new URL("./interval-worker.ts", import.meta.url), { type: "module" })
    const request: IntervalRequest = {
      scale,
      data,
      seed: BOOTSTRAP_SEED,
      ...(second !== undefined && { second }),
      ...(forecasts && { forecasts }),
    }
    worker.addEventListener("message", ({ data: message }: MessageEvent<IntervalMessage>) => {
      if (message.type === "ready") return worker.postMessage(request)
      setFound({ data, intervals: message.intervals, band: message.band, isKnown: true })
      worker.terminate()
    })
    return () => worker.terminate()
  }, [scale, data, second, forecasts])
  return found !== null && found.data === data ? found : NONE
}

const NONE: FoundIntervals = { intervals: {}, band: [], isKnown: false }
