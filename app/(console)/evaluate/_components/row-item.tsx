"use client"
import type { ReactNode } from "react"
import { formatCount } from "@/lib/shared/format"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { OpenRow } from "./open-row"
import { stateText } from "./state-text"

interface RowItemProps {
  row: { line: number; state: string }
  /** The request of the run, with which the playground opens the row. */
  form: RequestForm
  /** What is special about the row, in one line. */
  children: ReactNode
  /** More below that line. */
  more?: ReactNode
  action?: ReactNode
}

/** Shows a row of a run in a list: its line, what is special about it, and its state. */
export function RowItem({ row, form, children, more, action }: RowItemProps) {
  return (
    <li className="flex flex-col gap-2 border-line border-t py-3">
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span className="text-ink-muted text-sm">Line {formatCount(row.line)}</span>
        {children}
      </p>
      {more}
      <p dir="auto" className="wrap-anywhere max-w-3xl whitespace-pre-wrap">
        {stateText(row.state)}
      </p>
      <div className="flex flex-wrap gap-2 print:hidden">
        <OpenRow form={form} row={row} />
        {action}
      </div>
    </li>
  )
}
