"use client"
import { useEffect, useState } from "react"
import type { CalibrationVerdict } from "@/lib/shared/evaluate/figures/calibration-verdict"
import type { Intervals } from "@/lib/shared/evaluate/figures/evaluation-figures"
import type { BandPoint } from "@/lib/shared/statistics/isotonic"
import type { IntervalMessage, IntervalRequest } from "./interval-worker"

const BOOTSTRAP_SEED = 1

interface FoundIntervals {
  intervals: Intervals
  band: readonly BandPoint[]
  verdict: CalibrationVerdict | null
  /** False until a worker has computed them, or when it cannot run. */
  isKnown: boolean
}

/**
 * Returns 95% intervals of a question's figures, or of the differences to `second`, and what is known of the calibration. Empty until
 * a worker has computed them, or when it cannot run.
 */
export function useIntervals({ scale, data, second, calibrated }: Omit<IntervalRequest, "seed">): FoundIntervals {
  const [found, setFound] = useState<(FoundIntervals & { data: unknown }) | null>(null)
  useEffect(() => {
    const worker = new Worker(new URL("./interval-worker.ts", import.meta.url), { type: "module" })
    const request: IntervalRequest = {
      scale,
      data,
      seed: BOOTSTRAP_SEED,
      ...(second !== undefined && { second }),
      ...(calibrated && { calibrated }),
    }
    worker.addEventListener("message", ({ data: message }: MessageEvent<IntervalMessage>) => {
      if (message.type === "ready") return worker.postMessage(request)
      const { intervals, band, verdict } = message
      setFound({ data, intervals, band, verdict, isKnown: true })
      worker.terminate()
    })
    return () => worker.terminate()
  }, [scale, data, second, calibrated])
  return found !== null && found.data === data ? found : NONE
}

const NONE: FoundIntervals = { intervals: {}, band: [], verdict: null, isKnown: false }
