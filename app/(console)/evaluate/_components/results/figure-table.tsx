"use client"
import { useMemo } from "react"
import { type Column, Table } from "@/components/ui/table"
import { evenWeights } from "@/lib/shared/statistics/forecasts"
import type { Answered, FigureLine } from "@/questions/evaluation-figures"
import { figuresOfType } from "@/questions/question-figures"
import type { QuestionTypeName } from "@/questions/question-types"
import { useIntervals } from "../../figures/use-intervals"

const COLUMNS: Column<FigureLine>[] = [
  { head: "Figure", className: "font-medium", cell: ({ name }) => name },
  { head: "Value", align: "right", cell: ({ value }) => value },
  {
    head: "95% interval",
    align: "right",
    className: "whitespace-nowrap",
    cell: ({ interval }) => interval ?? <span className="text-ink-muted">–</span>,
  },
  { head: "Without a model", cell: ({ baseline }) => baseline },
  { head: "What it means", className: "max-w-text", cell: ({ meaning }) => meaning },
]

/** Lists the figures of a question. Intervals follow when a worker has computed them. */
export function FigureTable({ type, answered }: { type: QuestionTypeName; answered: Answered }) {
  const { figures, data, values } = useMemo(() => {
    const figures = figuresOfType(type)
    const data = figures.read(answered)
    const even = evenWeights(figures.rows(data))
    const values = Object.fromEntries(
      Object.entries(figures.statistics(data)).map(([name, statistic]) => [name, statistic(even)]),
    )
    return { figures, data, values }
  }, [type, answered])
  const intervals = useIntervals(type, data)
  return (
    <Table
      caption="Figures"
      columns={COLUMNS}
      rows={figures.lines(data, values, intervals)}
      rowKey={({ name }) => name}
    />
  )
}
