"use client"
import { type Column, Table } from "@/components/ui/table"
import type { FigureLine } from "@/lib/shared/evaluate/figures/evaluation-figures"

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

/** Lists the figures of a question. */
export function FigureTable({ lines }: { lines: FigureLine[] }) {
  return <Table caption="Figures" columns={COLUMNS} rows={lines} rowKey={({ name }) => name} />
}
