"use client"
import { ShowMore, useShownRows } from "@/components/ui/show-more"
import { type Column, Table } from "@/components/ui/table"
import type { RowFault } from "@/lib/shared/evaluate/rows/evaluation-set"
import { countOf, formatCount } from "@/lib/shared/format"
import { useOpenSet } from "../../model/open-set"

const COLUMNS: Column<RowFault>[] = [
  { head: "Line", align: "right", cell: ({ line }) => formatCount(line) },
  { head: "Reason", className: "wrap-anywhere", cell: ({ reason }) => reason },
]

/** Lists the rows that cannot be used, with the line of the file and the reason. */
export function FaultList() {
  const summary = useOpenSet((state) => state.summary)
  const list = useShownRows(summary?.faults ?? [], { first: 50, more: 500 })
  if (!summary) return <p className="text-ink-muted">Reading the rows…</p>
  const { usable, faults } = summary
  return (
    <section aria-label="Rows that cannot be used" className="flex flex-col gap-2">
      <h2 className="font-semibold text-lg">
        {formatCount(usable.length)} of {countOf(usable.length + faults.length, "row")} can be used
      </h2>
      {faults.length > 0 ? (
        <>
          <p className="text-ink-muted text-sm">
            {countOf(faults.length, "row")} {faults.length === 1 ? "is" : "are"} left out. Fix them in the file, or go
            on without them.
          </p>
          <Table
            caption="Rows left out"
            columns={COLUMNS}
            rows={list.rows}
            rowKey={({ line, reason }) => `${line} ${reason}`}
          />
        </>
      ) : null}
      <ShowMore list={list} />
    </section>
  )
}
