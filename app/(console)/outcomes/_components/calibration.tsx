import { Alert } from "@/components/ui/alert"
import { type Column, Table } from "@/components/ui/table"
import { formatFigure, formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import { formatCount, formatDate } from "@/lib/shared/format"
import type { LiveFigures } from "@/lib/shared/outcomes/live-figures"

type Step = LiveFigures["steps"][number]

const STEPS: readonly Column<Step>[] = [
  {
    head: "Predicted",
    phone: "title",
    cell: ({ from, to }) => (from === to ? formatFigure(from) : `${formatFigure(from)} to ${formatFigure(to)}`),
  },
  { head: "Outcomes", phone: "line", phoneLabel: true, align: "right", cell: ({ rows }) => formatCount(rows) },
  { head: "Happened", phone: "value", align: "right", cell: ({ observed }) => formatShare(observed) },
]

/** Shows whether predictions come true as often as they say, with an alarm once they do not. */
export function Calibration({ calibration: { alarmAtMs }, brier, parts, steps }: LiveFigures) {
  return (
    <div className="flex flex-col gap-4">
      {alarmAtMs === null ? null : (
        <Alert tone="danger" title="The predictions do not come true as often as they say">
          This is at least 95% sure, and was first clear with the outcome of {formatDate(new Date(alarmAtMs))}. The
          table shows what happened instead.
        </Alert>
      )}
      <Table caption="Predicted and observed" columns={STEPS} rows={steps} rowKey={({ from }) => String(from)} />
      <p className="max-w-text text-ink-muted text-sm">
        The rows are the rising shares that fit the outcomes best (CORP). The Brier score is {formatFigure(brier)}:{" "}
        {formatFigure(parts.uncertainty)} (uncertainty) minus {formatFigure(parts.discrimination)} (discrimination) plus{" "}
        {formatFigure(parts.miscalibration)} (miscalibration).
      </p>
    </div>
  )
}
