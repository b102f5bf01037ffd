import clsx from "clsx"
import { DataTable } from "@/components/charts/data-table"
import { Exact } from "@/components/charts/exact"
import { growUp } from "@/components/charts/grow"
import { shortText } from "@/lib/shared/long-runs"
import { ConfidenceFigure } from "@/questions/confidence-figure"
import type { ChartProps } from "../chart-props"
import type { ScoreColumns as Chart, Column } from "./columns"

const HEIGHT_PX = 56
/** Three lines show less. */
const CLAMPED_LENGTH = 500
/** With more columns there is no room for a percent sign over each number. */
const MAX_WITH_UNIT = 7
const COLUMNS = [
  "grid-cols-1",
  "grid-cols-1",
  "grid-cols-2",
  "grid-cols-3",
  "grid-cols-4",
  "grid-cols-5",
  "grid-cols-6",
  "grid-cols-7",
  "grid-cols-8",
  "grid-cols-9",
  "grid-cols-10",
]

function ColumnBar({ column, count, strong }: { column: Column; count: number; strong: boolean }) {
  const { level, value } = column
  const place = { x: `${((level + 0.14) / count) * 100}%`, width: `${(0.72 / count) * 100}%`, rx: 3 }
  const height = value * HEIGHT_PX
  return (
    <g>
      <rect {...place} height={HEIGHT_PX} className="fill-probability-track" />
      <rect
        {...place}
        y={HEIGHT_PX - height}
        height={height}
        className={clsx(strong ? "fill-probability" : "fill-probability-muted", growUp)}
      />
    </g>
  )
}

export function ScoreColumns({ name, chart, children, notes }: ChartProps<Chart>) {
  const { mean, confidence, columns, mostLikely } = chart
  const isTight = columns.length > MAX_WITH_UNIT
  return (
    <div className="flex flex-col gap-2">
      <div className="grid items-center gap-x-6 gap-y-2 @md:grid-cols-2">
        <div className="flex flex-col gap-2">
          <Mean chart={chart} isTight={isTight} />
          <Drawing chart={chart} isTight={isTight} />
        </div>
        <Legend columns={columns} mostLikely={mostLikely} />
      </div>
      {children ?? <ConfidenceFigure confidence={confidence} />}
      <DataTable
        caption={`Probabilities of ${name}`}
        head={["Level", "Probability"]}
        rows={[
          ...columns.map(({ level, label, exact }) => ({
            key: String(level),
            name: `${level} ${label}`,
            value: exact,
          })),
          { key: "mean", name: "Mean", value: mean.exact },
        ]}
      >
        {notes}
      </DataTable>
    </div>
  )
}

interface PartProps {
  chart: Chart
  isTight: boolean
}

function Mean({ chart: { mean, columns }, isTight }: PartProps) {
  return (
    <p className="font-medium">
      mean <Exact text={mean.text} exact={mean.exact} side="left" />
      <span className="font-normal text-ink-muted">
        {" "}
        of 0 to {columns.length - 1}
        {isTight ? ", columns in %" : null}
      </span>
    </p>
  )
}

function Drawing({ chart: { mean, columns, mostLikely }, isTight }: PartProps) {
  const count = columns.length
  return (
    <div>
      <ol className={clsx("grid pb-1 text-center text-xs", COLUMNS[count])}>
        {columns.map(({ level, label, percent, exact }) => (
          <li key={level} className={level === mostLikely ? "font-semibold" : "text-ink-muted"}>
            <span className="sr-only">{`Level ${level}, ${shortText(label, CLAMPED_LENGTH)}: `}</span>
            <Exact
              text={isTight ? percent.replace("%", "") : percent}
              exact={exact}
              side={level < count / 2 ? "left" : "right"}
            />
          </li>
        ))}
      </ol>
      <svg
        width="100%"
        height={HEIGHT_PX + 16}
        role="img"
        aria-label={`Mean ${mean.text}, most likely level ${mostLikely}`}
      >
        {columns.map((column) => (
          <ColumnBar key={column.level} column={column} count={count} strong={column.level === mostLikely} />
        ))}
        <line x1="0" x2="100%" y1={HEIGHT_PX + 0.5} y2={HEIGHT_PX + 0.5} className="stroke-line-strong" />
        <svg
          x={`${((mean.value + 0.5) / count) * 100}%`}
          y={HEIGHT_PX + 2}
          width="1"
          height="12"
          overflow="visible"
          aria-hidden="true"
        >
          <path d="M0 0 L6 10 L-6 10 Z" className="fill-ink" />
        </svg>
      </svg>
      <div aria-hidden className={clsx("grid text-center text-ink-muted text-xs tabular-nums", COLUMNS[count])}>
        {columns.map(({ level }) => (
          <span key={level} className={level === mostLikely ? "font-medium text-ink" : undefined}>
            {level}
          </span>
        ))}
      </div>
    </div>
  )
}

function Legend({ columns, mostLikely }: { columns: Column[]; mostLikely: number }) {
  return (
    <ol className="flex flex-col gap-0.5 text-sm">
      {columns.map(({ level, label }) => (
        <li
          key={level}
          className={clsx("grid grid-cols-[1rem_minmax(0,1fr)] gap-1.5", level !== mostLikely && "text-ink-muted")}
        >
          <span className="tabular-nums">{level}</span>
          <span dir="auto" className={clsx("line-clamp-3 break-words", level === mostLikely && "font-medium")}>
            {shortText(label, CLAMPED_LENGTH)}
          </span>
        </li>
      ))}
    </ol>
  )
}
