import { createHash } from "node:crypto"
import { type TokenCount, totalTokens } from "@/lib/server/engines/token-count"
import type { Stage } from "@/lib/server/platform/metrics"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type CheckedQuestion, questionTexts } from "@/questions/question-types"

/** What is noted of a request while it runs, for its page in the console: numbers and an id of the catalogue, no content. */
export interface RequestFacts {
  /** The alias that the client sent; null for a pinned id, and until the model is known. */
  alias: string | null
  /** A hash of the size of the body and of the number of texts of each question; null until they are known. */
  shape: bigint | null
  /** The billed tokens of the state and of all questions; null until they are counted. */
  stateTokens: number | null
  questionTokens: number | null
  /** The durations of the stages that began, in milliseconds. */
  stagesMs: Partial<Record<Stage, number>>
}

export const newFacts = (): RequestFacts => ({
  ...{ alias: null, shape: null, stateTokens: null, questionTokens: null },
  stagesMs: {},
})

/** Runs a stage of a request and notes its duration, also when it fails. */
export async function timedStage<Result>(
  { metrics }: Runtime,
  facts: RequestFacts | undefined,
  stage: Stage,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now()
  try {
    return await metrics.timed(stage, work)
  } finally {
    if (facts) facts.stagesMs[stage] = Math.round(performance.now() - startedAt)
  }
}

/** Returns a hash that is equal for requests with bodies of one size and questions of the same types and numbers of texts. */
export function shapeOf(bodyBytes: number, questions: readonly CheckedQuestion[]): bigint {
  const parts = questions.map((question) => `${question.type}:${questionTexts(question).length}`)
  return createHash("sha256")
    .update([bodyBytes, ...parts].join(" "))
    .digest()
    .readBigInt64BE(0)
}

export function noteTokens(facts: RequestFacts | undefined, counted: TokenCount): void {
  if (!facts) return
  facts.stateTokens = counted.state
  facts.questionTokens = totalTokens(counted) - counted.state
}
