"use client"
import type { ReactNode } from "react"
import type { Outcome } from "@/lib/shared/runs/read-outcome"
import { AnswerList } from "@/questions/answer-list"
import { measured, type PreparedAnswer } from "@/questions/question-types"
import { AnswerChart } from "@/questions/question-views"
import { BandedChart } from "./band-control"
import { FloorControl } from "./floor-control"
import { RunSummary } from "./run-summary"

interface OutcomeViewProps {
  outcome: Extract<Outcome, { kind: "answered" }>
  /** When it ran (ISO 8601). Undefined when it ran just now, or the page shows the time elsewhere. */
  at?: string | undefined
  /** Shown before "Details". It ends with its own separator, " · ". */
  note?: ReactNode
}

export function OutcomeView({ outcome, at, note }: OutcomeViewProps) {
  const { model, requestId, exchange, answers } = outcome
  const drawChart = (answer: PreparedAnswer, notes: ReactNode) => {
    const decisive = measured(answer)
    if (!decisive) return null
    if (decisive.kind === "band")
      return <BandedChart answer={answer} yes={decisive.share} model={model} notes={notes} />
    return (
      <AnswerChart answer={answer} notes={notes}>
        <FloorControl answer={answer} model={model} />
      </AnswerChart>
    )
  }
  return (
    <>
      <RunSummary outcome={outcome} at={at} note={note} />
      <AnswerList key={requestId} questions={exchange.request.questions} answers={answers} drawChart={drawChart} />
    </>
  )
}
