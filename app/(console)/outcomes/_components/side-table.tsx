import { Alert } from "@/components/ui/alert"
import { type Column, Table } from "@/components/ui/table"
import { formatShare, intervalText } from "@/lib/shared/evaluate/figures/figure-text"
import { formatCount } from "@/lib/shared/format"
import type { SideFigures } from "@/lib/shared/outcomes/live-figures"
import { Sureness } from "./sureness"

const nameOf = (side: SideFigures["side"], isNoul: boolean): string =>
  isNoul ? (side === "above" ? "Automatic yes" : "Automatic no") : "Accepted"

const columnsFor = (isNoul: boolean): readonly Column<SideFigures>[] => [
  { head: "Answers", phone: "title", cell: ({ side }) => nameOf(side, isNoul) },
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

/** Shows how often automatic answers were wrong, per side, with an alarm for each side that breaks its target. */
export function SideTable({ sides, isNoul }: SideTableProps) {
  return (
    <div className="flex flex-col gap-4">
      {sides.map(({ side, target, alarmAtMs }) =>
        alarmAtMs === null ? null : (
          <Alert key={side} tone="danger" title={`${nameOf(side, isNoul)}: more than ${formatShare(target)} are wrong`}>
            <Sureness alarmAtMs={alarmAtMs} /> Choose stricter thresholds, or evaluate the model again.
          </Alert>
        ),
      )}
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
    </div>
  )
}
