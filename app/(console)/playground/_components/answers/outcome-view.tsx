"use client"
import type { Outcome } from "@/lib/shared/playground/read-outcome"
import { AnswerList } from "@/questions/answer-list"
import { RunSummary } from "./run-summary"
import { ThresholdedGauge } from "./thresholded-gauge"
import type { Thresholds } from "./use-thresholds"

interface OutcomeViewProps {
  outcome: Extract<Outcome, { kind: "answered" }>
  thresholds: Thresholds
}

/** What a run took, and a chart per question. */
export function OutcomeView({ outcome, thresholds }: OutcomeViewProps) {
  return (
    <>
      <RunSummary outcome={outcome} />
      <AnswerList
        key={outcome.requestId}
        answers={outcome.answers}
        drawChart={(answer) =>
          answer.type === "noul" ? (
            <ThresholdedGauge name={answer.name} gauge={answer.chart} model={outcome.model} {...thresholds} />
          ) : null
        }
      />
    </>
  )
}
