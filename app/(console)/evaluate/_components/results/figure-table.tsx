"use client"
import { useMemo } from "react"
import { type Column, Table } from "@/components/ui/table"
import type { Answered, FigureLine } from "@/lib/shared/evaluate/figures/evaluation-figures"
import { figuresOf } from "@/lib/shared/evaluate/figures/figures-of"
import { evenWeights } from "@/lib/shared/statistics/forecasts"
import type { Scale } from "@/questions/question-type"
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
export function FigureTable({ scale, answered }: { scale: Scale; answered: Answered }) {
  const { figures, data, values } = useMemo(() => {
    const figures = figuresOf(scale)
    const data = figures.read(answered)
    const even = evenWeights(figures.rows(data))
    const values = Object.fromEntries(
      Object.entries(figures.statistics(data)).map(([name, statistic]) => [name, statistic(even)]),
    )
    return { figures, data, values }
  }, [scale, answered])
  const intervals = useIntervals(scale, data)
  return (
    <Table
      caption="Figures"
      columns={COLUMNS}
      rows={figures.lines(data, values, intervals)}
      rowKey={({ name }) => name}
    />
  )
}
