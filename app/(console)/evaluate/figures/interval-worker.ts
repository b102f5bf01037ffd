import { bootstrap } from "@/lib/shared/statistics/bootstrap"
import type { QuestionTypeName } from "@/questions/question-types"
import type { Intervals } from "./figure"
import { figuresOfType } from "./type-figures"

export interface IntervalRequest {
  type: QuestionTypeName
  data: unknown
  seed: number
}

export type IntervalMessage =
  /** It listens. A message that is sent before may be lost, because the worker's code loads in pieces. */
  { type: "ready" } | { type: "intervals"; intervals: Intervals }

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

const send = (message: IntervalMessage) => postMessage(message)

addEventListener("message", ({ data }: MessageEvent<IntervalRequest>) =>
  send({ type: "intervals", intervals: intervalsOf(data) }),
)
send({ type: "ready" })
