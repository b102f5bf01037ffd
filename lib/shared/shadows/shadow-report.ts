import type { Interval } from "@/lib/shared/statistics/binomial"
import type { QuestionTypeName } from "@/questions/question-types"

/** How the answers to questions of one type and number of options compare. */
export interface ShadowQuestions {
  type: QuestionTypeName
  options: number
  compared: number
  /** How many had another side of 0.5, or another most likely option or level. */
  changed: number
  /** The 95% Wilson interval of the share that changed. It takes the questions as independent. */
  interval: Interval
  /** The mean total variation distance of the probabilities, from 0 to 1. */
  meanDistance: number
}

/** What a shadow found out about the traffic of one account or of all. Times are ISO text. */
export interface ShadowSummary {
  alias: string
  from: string
  to: string
  /** The share of the requests that it takes, from 0 to 1. */
  share: number
  startedAt: string
  until: string | null
  /** Null while it runs. */
  endedAt: string | null
  answered: number
  failed: number
  /** Of the answered requests, as the candidate counts them. */
  tokens: number
  /** The mean time that each model took for these requests, without waiting for a place; null without any. */
  servedMs: number | null
  candidateMs: number | null
  questions: ShadowQuestions[]
}

/** The same of all accounts, for the operator. */
export interface ShadowReport extends ShadowSummary {
  accounts: number
  /** Requests of the share that were not asked, because the candidate or this service was too busy, or the body too large. */
  skipped: number
  /** Exact USD text: the tokens at the candidate's price. */
  spentUsd: string
  budgetUsd: string | null
}
