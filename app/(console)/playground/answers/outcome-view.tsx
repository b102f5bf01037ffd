"use client"
import type { Outcome } from "@/lib/shared/runs/read-outcome"
import { AnswerList } from "@/questions/answer-list"
import { RunSummary } from "./run-summary"
import { ThresholdedGauge } from "./thresholded-gauge"

export function OutcomeView({ outcome }: { outcome: Extract<Outcome, { kind: "answered" }> }) {
  return (
    <>
      <RunSummary outcome={outcome} />
      <AnswerList
        key={outcome.requestId}
        answers={outcome.answers}
        drawChart={(answer) =>
          answer.type === "noul" ? (
            <ThresholdedGauge name={answer.name} gauge={answer.chart} model={outcome.model} />
          ) : null
        }
      />
    </>
  )
}
