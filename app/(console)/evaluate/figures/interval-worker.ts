import { bootstrap } from "@/lib/shared/statistics/bootstrap"
import type { QuestionTypeName } from "@/questions/question-types"
import type { Intervals } from "./figure"
import { figuresOfType } from "./type-figures"

export interface IntervalRequest {
  type: QuestionTypeName
  data: unknown
  seed: number
}

/** Above this number of draws, fewer replicates are drawn. 500 are enough for 95% intervals of many rows. */
const MAX_DRAWS = 10_000_000

function intervalsOf({ type, data, seed }: IntervalRequest): Intervals {
  const figures = figuresOfType(type)
  const rows = figures.rows(data)
  const replicates = Math.max(500, Math.min(2_000, Math.floor(MAX_DRAWS / rows)))
  return {
    ...bootstrap(rows, figures.statistics(data), { seed, replicates }),
    ...figures.extra?.(data, seed),
  }
}

addEventListener("message", ({ data }: MessageEvent<IntervalRequest>) => postMessage(intervalsOf(data)))
