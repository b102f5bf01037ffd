import type { ComponentType } from "react"
import type { ChartProps } from "./chart-props"
import { ChoiceBars } from "./choice/choice-bars"
import { NoulGauge } from "./noul/noul-gauge"
import type { ChartOf, PreparedAnswer, QuestionTypeName } from "./question-types"
import { ScoreBars } from "./score/score-bars"

/** The chart of each type. Separate from `question-types.ts`, because workers and the API never draw. */
const CHARTS: { [Name in QuestionTypeName]: ComponentType<ChartProps<ChartOf<Name>>> } = {
  noul: NoulGauge,
  choice: ChoiceBars,
  score: ScoreBars,
}

interface AnswerChartProps extends Pick<ChartProps<unknown>, "band" | "children" | "notes"> {
  answer: PreparedAnswer
}

export function AnswerChart({ answer, band, children, notes }: AnswerChartProps) {
  if (answer.type === "missing")
    return <p className="text-ink-muted">The response has no answer that fits this question. See the raw response.</p>
  const Chart = CHARTS[answer.type] as ComponentType<ChartProps<typeof answer.chart>>
  return (
    <Chart name={answer.name} chart={answer.chart} band={band} notes={notes}>
      {children}
    </Chart>
  )
}
