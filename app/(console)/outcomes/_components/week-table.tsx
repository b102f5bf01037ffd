import { type Column, Table } from "@/components/ui/table"
import { formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import { formatCount, formatDate } from "@/lib/shared/format"
import type { WeekFigures } from "@/lib/shared/outcomes/live-figures"

const COLUMNS: readonly Column<WeekFigures>[] = [
  { head: "Week from (UTC)", phone: "title", cell: ({ monday }) => formatDate(new Date(monday)) },
  { head: "Outcomes", phone: "value", phoneLabel: true, align: "right", cell: ({ outcomes }) => formatCount(outcomes) },
  { head: "Predicted", align: "right", cell: ({ predicted }) => formatShare(predicted) },
  { head: "Happened", align: "right", cell: ({ happened }) => formatShare(happened) },
  {
    head: "Automatic",
    phone: "line",
    phoneLabel: true,
    align: "right",
    cell: ({ automatic }) => formatCount(automatic),
  },
  { head: "Of these wrong", phone: "end", phoneLabel: true, align: "right", cell: ({ errors }) => formatCount(errors) },
]

/** Shows the outcomes of each week, newest first. */
export function WeekTable({ weeks }: { weeks: readonly WeekFigures[] }) {
  return (
    <Table caption="Outcomes by week" columns={COLUMNS} rows={weeks.toReversed()} rowKey={({ monday }) => monday} />
  )
}
