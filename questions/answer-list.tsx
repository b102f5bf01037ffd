import type { ReactNode } from "react"
import { WorkedFormula } from "@/components/charts/worked-formula"
import { explainConfidence, type PreparedAnswer } from "./question-types"
import { AnswerChart } from "./question-views"

interface AnswerListProps {
  answers: PreparedAnswer[]
  /** Draws an answer in place of its plain chart. Return null to keep the plain one. */
  drawChart?: (answer: PreparedAnswer) => ReactNode
}

export function AnswerList({ answers, drawChart }: AnswerListProps) {
  return (
    <ol className="flex flex-col gap-6">
      {answers.map((answer) => (
        <li key={answer.name} className="flex flex-col gap-3 border-line border-t pt-4">
          <h2 className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 break-all font-mono font-medium text-sm">{answer.name}</span>
            <span className="text-ink-muted text-sm">{answer.type === "missing" ? null : answer.type}</span>
          </h2>
          {drawChart?.(answer) ?? <AnswerChart answer={answer} />}
          <ConfidenceNote answer={answer} />
        </li>
      ))}
    </ol>
  )
}

function ConfidenceNote({ answer }: { answer: PreparedAnswer }) {
  const explained = explainConfidence(answer)
  return explained ? <WorkedFormula title="What confidence means" {...explained} /> : null
}
