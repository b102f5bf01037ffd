"use client"
import { useEffect, useState } from "react"
import { askForIntervals, type FoundIntervals } from "./ask-for-intervals"
import type { IntervalRequest } from "./interval-worker"

const BOOTSTRAP_SEED = 1

interface KnownIntervals extends FoundIntervals {
  /** Whether a worker has computed them, still does, or cannot. */
  state: "known" | "computing" | "failed"
  /** Starts another worker. */
  retry: () => void
}

/**
 * Returns 95% intervals of a question's figures, or of the differences to `second`, and what is known of the calibration. Empty until
 * a worker has computed them, or when it cannot run.
 */
export function useIntervals({ scale, data, second, calibrated }: Omit<IntervalRequest, "seed">): KnownIntervals {
  const [found, setFound] = useState<(FoundIntervals & { data: unknown; state: "known" | "failed" }) | null>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt starts another worker
  useEffect(() => {
    const request: IntervalRequest = {
      scale,
      data,
      seed: BOOTSTRAP_SEED,
      ...(second !== undefined && { second }),
      ...(calibrated && { calibrated }),
    }
    return askForIntervals(request, {
      onFound: (intervals) => setFound({ ...intervals, data, state: "known" }),
      onFailed: () => setFound({ ...NONE, data, state: "failed" }),
    })
  }, [scale, data, second, calibrated, attempt])
  const retry = () => {
    setFound(null)
    setAttempt(attempt + 1)
  }
  return found !== null && found.data === data ? { ...found, retry } : { ...NONE, state: "computing", retry }
}

const NONE: FoundIntervals = { intervals: {}, band: [], verdict: null }
