import type { ReactNode } from "react"
import type { PreparedAnswer } from "@/lib/shared/decisions/prepare"
import { ChoiceBars } from "./choice-bars"
import { NoulGauge } from "./noul-gauge"
import { ScoreColumns } from "./score-columns"

interface AnswerListProps {
  answers: PreparedAnswer[]
  /** Draws a noul answer instead of the plain gauge. */
  noul?: (answer: Extract<PreparedAnswer, { type: "noul" }>) => ReactNode
  /** What stands under an answer's chart. */
  below?: (answer: PreparedAnswer) => ReactNode
}

function Chart({ answer, noul }: { answer: PreparedAnswer; noul: AnswerListProps["noul"] }) {
  if (answer.type === "noul") return noul?.(answer) ?? <NoulGauge name={answer.name} gauge={answer.gauge} />
  if (answer.type === "choice") return <ChoiceBars name={answer.name} chart={answer.chart} />
  if (answer.type === "score") return <ScoreColumns name={answer.name} chart={answer.chart} />
  return <p className="text-ink-muted">The response holds no answer of this question's type. See the raw response.</p>
}

/** A chart per question, in the order of the request that was sent. */
export function AnswerList({ answers, noul, below }: AnswerListProps) {
  return (
    <ol className="flex flex-col gap-6">
      {answers.map((answer) => (
        <li key={answer.name} className="flex flex-col gap-3 border-line border-t pt-4">
          <h2 className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 break-all font-mono font-medium text-sm">{answer.name}</span>
            <span className="text-ink-muted text-sm">{answer.type === "missing" ? null : answer.type}</span>
          </h2>
          <Chart answer={answer} noul={noul} />
          {below?.(answer)}
        </li>
      ))}
    </ol>
  )
}
