import clsx from "clsx"
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react"
import Link from "next/link"
import type { ReactNode } from "react"

export interface ColumnSort {
  href: string
  now: "ascending" | "descending" | null
}

export interface Column<Row> {
  /** Shown above the column, and on a phone beside each value. */
  head: string
  align?: "right"
  /** Hides the head visually, for a column of buttons. */
  headHidden?: boolean
  /** Hides the column between 640 and 1280 px. Show important values in another column there. */
  wideOnly?: boolean
  className?: string
  /** The link of the head, and how the rows are sorted by this column now. */
  sort?: ColumnSort
  cell: (row: Row) => ReactNode
}

interface TableProps<Row> {
  /** Describes the table for assistive technology. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  className?: string
}

/**
 * On a phone, rows of longer tables are skipped until they are scrolled into view. Until then their height is estimated, so
 * what follows them moves a little: in short tables, a menu would move while it is clicked.
 */
const SHORT_TABLE_ROWS = 25
/** A row of so many columns is much lower on a phone. */
const FEW_COLUMNS = 3

/** Renders a table with rows of 40 px on screens from 640 px; on a phone, a list of labels and values. */
export function Table<Row>({ caption, columns, rows, rowKey, className }: TableProps<Row>) {
  return (
    <div className={clsx("sm:max-xl:overflow-x-auto", className)}>
      <table className="w-full border-collapse text-left max-sm:block">
        <caption className="sr-only">{caption}</caption>
        <thead className="max-sm:hidden">
          <tr>
            {columns.map((column) => (
              <th
                key={column.head}
                scope="col"
                aria-sort={column.sort?.now ?? undefined}
                className={clsx(
                  "sticky top-0 z-10 h-9 whitespace-nowrap border-line border-b bg-bg px-2.5 font-medium text-ink-muted text-sm first:pl-0 last:pr-0 sm:max-xl:px-1.5",
                  column.align === "right" && "text-right",
                  column.wideOnly && "sm:max-xl:hidden",
                )}
              >
                <Head column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={clsx(
                "border-line border-b max-sm:relative max-sm:block max-sm:py-2.5 max-sm:focus-within:z-1",
                rows.length > SHORT_TABLE_ROWS && [
                  "max-sm:skip-offscreen",
                  columns.length <= FEW_COLUMNS
                    ? "max-sm:[contain-intrinsic-height:auto_6.5rem]"
                    : "max-sm:[contain-intrinsic-height:auto_15rem]",
                ],
              )}
            >
              {columns.map((column) => (
                <td
                  key={column.head}
                  data-label={column.headHidden ? undefined : column.head}
                  className={clsx(
                    "max-sm:flex max-sm:min-h-7 max-sm:items-baseline max-sm:empty:hidden max-sm:py-1 max-sm:justify-between max-sm:gap-4 max-sm:text-right",
                    "max-sm:before:shrink-0 max-sm:before:text-ink-muted max-sm:before:font-normal max-sm:before:text-sm max-sm:before:content-[attr(data-label)]",
                    "sm:h-10 sm:px-2.5 sm:py-1.5 sm:max-xl:px-1.5 sm:first:pl-0 sm:last:pr-0",
                    column.align === "right" && "tabular-nums sm:text-right",
                    column.wideOnly && "sm:max-xl:hidden",
                    column.className,
                  )}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Head<Row>({ column: { head, headHidden, sort } }: { column: Column<Row> }) {
  if (headHidden) return <span className="sr-only">{head}</span>
  if (!sort) return head
  const Arrow = sort.now === null ? ChevronsUpDown : sort.now === "ascending" ? ArrowUp : ArrowDown
  return (
    <Link
      href={sort.href}
      scroll={false}
      className={clsx("group/sort inline-flex items-center gap-1 rounded-sm hover:text-ink", sort.now && "text-ink")}
    >
      {head}
      <Arrow aria-hidden className={clsx("size-3.5", sort.now ? "" : "opacity-60 group-hover/sort:opacity-100")} />
    </Link>
  )
}
