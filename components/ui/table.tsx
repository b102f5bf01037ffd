import clsx from "clsx"
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react"
import type { ReactNode } from "react"
import { Link } from "@/components/link/link"
import { Later } from "./later"
import { Money, type MoneyStyle, mostDecimals } from "./money"

interface ColumnSort {
  href: string
  now: "ascending" | "descending" | null
}

/**
 * Where a value is on a phone. `title` and `value` are the left and right of the first line, `line` and `end` those of the second.
 * `start` comes before the title, `menu` is beside both lines.
 */
type PhonePlace = "start" | "title" | "value" | "line" | "end" | "menu"

interface ColumnHead {
  /** Shown above the column, and on a phone beside values without a place. */
  head: string
  /** If any column has a place, a row is a list item of two lines. Values without a place show once the row is opened. */
  phone?: PhonePlace
  /** Shows the head before the value, also where it has a place. */
  phoneLabel?: boolean
  align?: "right"
  /** Hides the head visually, for a column of buttons. */
  headHidden?: boolean
  /** Hides the column between 640 and 1280 px. Show important values in another column there. */
  wideOnly?: boolean
  className?: string
  /** The link of the head, and how the rows are sorted by this column now. */
  sort?: ColumnSort
}

interface AnyColumn<Row> extends ColumnHead {
  cell: (row: Row) => ReactNode
  usd?: undefined
}

interface MoneyColumn<Row> extends ColumnHead {
  /** The amount. All amounts of the column have one number of decimals. Null: the row has none. */
  usd: (row: Row) => string | null
  as?: MoneyStyle
  /** Shown in place of an amount; by default a dash. */
  none?: ReactNode
}

export type Column<Row> = AnyColumn<Row> | MoneyColumn<Row>

interface TableProps<Row> {
  /** Describes the table for assistive technology. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Adds a last column, whose head is hidden. */
  actions?: ((row: Row) => ReactNode) | undefined
  /** Shown in place of a table without rows. */
  empty?: ReactNode
  className?: string
}

/**
 * On a phone, rows of longer tables are skipped until they are scrolled into view. Until then their height is estimated, so
 * what follows them moves a little: in short tables, a menu would move while it is clicked.
 */
const SHORT_TABLE_ROWS = 25
/** After a click on a link, rows after the first ten appear once these are painted. */
const FIRST_ROWS = 10
/** On a phone, a row of labels with at most this many columns is much lower than others. */
const FEW_COLUMNS = 3

const skippedRow = (columns: number, isList: boolean): string =>
  clsx(
    "max-sm:skip-offscreen",
    isList
      ? "max-sm:[contain-intrinsic-height:auto_4rem]"
      : columns <= FEW_COLUMNS
        ? "max-sm:[contain-intrinsic-height:auto_6.5rem]"
        : "max-sm:[contain-intrinsic-height:auto_15rem]",
  )

const cellClass = (align: string | false, { wideOnly }: { wideOnly?: boolean }, more?: string): string | undefined =>
  clsx(align, wideOnly && "sm:max-xl:hidden", more) || undefined

/** Returns a column of amounts as one of cells: each amount with as many decimals as the longest one. */
function moneyColumn<Row>({ usd, as, none = "–", ...head }: MoneyColumn<Row>, rows: readonly Row[]): AnyColumn<Row> {
  const amounts = rows.flatMap((row) => usd(row) ?? [])
  const decimals = mostDecimals(amounts, as)
  const cell = (row: Row) => {
    const amount = usd(row)
    return amount === null ? none : <Money usd={amount} as={as} decimals={decimals} />
  }
  return { align: "right", ...head, cell }
}

const labelOf = ({ head, headHidden, phone, phoneLabel }: ColumnHead): string | undefined =>
  headHidden || (phone && phone !== "menu" && !phoneLabel) ? undefined : head

/** Covers a row on a phone: a touch shows the values without a place and the ends of cut texts. Works without JavaScript. */
function RowOpener() {
  return (
    <label className="row-opener">
      <input type="checkbox" autoComplete="off" aria-label="Show the whole row" className="sr-only" />
    </label>
  )
}

/**
 * Renders a table with rows of 40 px on screens from 640 px. On a phone, a row is a list item of two lines if its columns have
 * places, and else a list of labels and values. `globals.css` has the rules of its cells.
 */
export function Table<Row>({
  caption,
  columns: shownColumns,
  rows,
  rowKey,
  actions,
  empty,
  className,
}: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return empty
  const columns = shownColumns.map((column) => (column.usd ? moneyColumn(column, rows) : column))
  if (actions) columns.push({ head: "Actions", headHidden: true, phone: "menu", align: "right", cell: actions })
  const isList = shownColumns.some(({ phone }) => phone)
  const rowClass = rows.length > SHORT_TABLE_ROWS ? skippedRow(columns.length, isList) : undefined
  const shown = rows.map((row) => (
    <tr key={rowKey(row)} className={rowClass}>
      {columns.map((column) => (
        <td
          key={column.head}
          data-label={labelOf(column)}
          data-phone={isList ? column.phone : undefined}
          className={cellClass(column.align === "right" && "tabular-nums sm:text-right", column, column.className)}
        >
          {column.cell(row)}
          {column.phone === "title" ? <RowOpener /> : null}
        </td>
      ))}
    </tr>
  ))
  return (
    <div className={clsx("sm:max-xl:overflow-x-auto", className)}>
      <table className={clsx("data-table w-full border-collapse text-left max-sm:block", isList && "two-lines")}>
        <caption className="sr-only">{caption}</caption>
        <thead className="max-sm:hidden">
          <tr>
            {columns.map((column) => (
              <th
                key={column.head}
                scope="col"
                aria-sort={column.sort?.now ?? undefined}
                className={cellClass(column.align === "right" && "text-right", column)}
              >
                <Head column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">{shown.slice(0, FIRST_ROWS)}</tbody>
        {rows.length > FIRST_ROWS ? (
          <Later>
            <tbody className="max-sm:block">{shown.slice(FIRST_ROWS)}</tbody>
          </Later>
        ) : null}
      </table>
    </div>
  )
}

function Head({ column: { head, headHidden, sort } }: { column: ColumnHead }) {
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
