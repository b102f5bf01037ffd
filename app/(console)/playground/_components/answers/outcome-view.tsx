"use client"
import { AnswerList } from "@/components/charts/answer-list"
import { WorkedFormula } from "@/components/charts/worked-formula"
import type { PreparedAnswer } from "@/lib/shared/decisions/prepare"
import { explainConfidence } from "@/lib/shared/playground/explain-confidence"
import type { Outcome } from "@/lib/shared/playground/read-outcome"
import { RunSummary } from "./run-summary"
import { ThresholdedGauge } from "./thresholded-gauge"
import type { Thresholds } from "./use-thresholds"

interface OutcomeViewProps {
  outcome: Extract<Outcome, { kind: "answered" }>
  thresholds: Thresholds
}

const confidenceNote = (answer: PreparedAnswer) => {
  const explained = explainConfidence(answer)
  return explained ? <WorkedFormula title="What confidence means" {...explained} /> : null
}

/** What a run took, and a chart per question. */
export function OutcomeView({ outcome, thresholds }: OutcomeViewProps) {
  return (
    <>
      <RunSummary outcome={outcome} />
      <AnswerList
        key={outcome.requestId}
        answers={outcome.answers}
        noul={({ name, gauge }) => <ThresholdedGauge name={name} gauge={gauge} model={outcome.model} {...thresholds} />}
        below={confidenceNote}
      />
    </>
  )
}
