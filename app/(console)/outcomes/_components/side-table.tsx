import { type Column, Table } from "@/components/ui/table"
import { formatShare, intervalText } from "@/lib/shared/evaluate/figures/figure-text"
import { formatCount } from "@/lib/shared/format"
import type { SideFigures } from "@/lib/shared/outcomes/live-figures"
import { nameOfSide } from "./claim-text"

const columnsFor = (isNoul: boolean): readonly Column<SideFigures>[] => [
  { head: "Answers", phone: "title", cell: ({ side }) => nameOfSide(side, isNoul) },
  {
    head: "With an outcome",
    phone: "line",
    phoneLabel: true,
    align: "right",
    cell: ({ answers }) => formatCount(answers),
  },
  { head: "Wrong", align: "right", cell: ({ errors }) => formatCount(errors) },
  {
    head: "Error rate",
    phone: "value",
    align: "right",
    cell: ({ rate }) => (rate === null ? "–" : formatShare(rate)),
  },
  {
    head: "95% at any time",
    phone: "end",
    align: "right",
    cell: ({ interval }) => intervalText(interval, formatShare),
  },
  {
    head: "By sampled share",
    align: "right",
    cell: ({ weightedRate }) => (weightedRate === null ? "–" : formatShare(weightedRate)),
  },
]

interface SideTableProps {
  sides: readonly SideFigures[]
  isNoul: boolean
}

/** Shows how often automatic answers were wrong, per side. */
export function SideTable({ sides, isNoul }: SideTableProps) {
  return (
    <Table
      caption="Automatic answers"
      columns={columnsFor(isNoul)}
      rows={sides}
      rowKey={({ side }) => side}
      empty={
        <p className="max-w-text text-ink-muted">
          Enter the thresholds that your program uses, to see how often its automatic answers were wrong.
        </p>
      }
    />
  )
}
