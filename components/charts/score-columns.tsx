import clsx from "clsx"
import type { ScoreColumns as Chart, Column } from "@/lib/decisions/prepare"
import { DataTable } from "./data-table"
import { Exact } from "./exact"
import { growUp } from "./grow"

const TOP = 18
const FOOT = 110
/** Beyond this many columns a percent sign over each leaves the numbers no room. */
const MOST_WITH_UNIT = 7
const LABELS = [
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
  const { level, value, percent } = column
  const height = value * (FOOT - TOP)
  return (
    <g>
      <rect
        x={`${((level + 0.14) / count) * 100}%`}
        y={TOP}
        width={`${(0.72 / count) * 100}%`}
        height={FOOT - TOP}
        rx="3"
        className="fill-probability-track"
      />
      <rect
        x={`${((level + 0.14) / count) * 100}%`}
        y={FOOT - height}
        width={`${(0.72 / count) * 100}%`}
        height={height}
        rx="3"
        className={clsx(strong ? "fill-probability" : "fill-probability-muted", growUp)}
      />
      <text
        x={`${((level + 0.5) / count) * 100}%`}
        y={TOP - 6}
        textAnchor="middle"
        className={clsx("text-xs tabular-nums", strong ? "fill-ink font-semibold" : "fill-ink-muted")}
      >
        {count > MOST_WITH_UNIT ? percent.replace("%", "") : percent}
      </text>
    </g>
  )
}

/** A column per level in level order, with the mean marked under them. */
export function ScoreColumns({ name, chart }: { name: string; chart: Chart }) {
  const { mean, confidence, columns, mostLikely } = chart
  const count = columns.length
  const meanAt = `${((mean.value + 0.5) / count) * 100}%`
  return (
    <div className="flex flex-col gap-2">
      <p className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 font-medium">
          mean <Exact text={mean.text} exact={mean.exact} />
          <span className="font-normal text-ink-muted">
            {" "}
            of 0 to {count - 1}
            {count > MOST_WITH_UNIT ? ", columns in %" : null}
          </span>
        </span>
        <span className="whitespace-nowrap text-ink-muted text-sm">
          confidence <Exact text={confidence.value.toFixed(3)} exact={confidence.exact} />
        </span>
      </p>
      <div>
        <svg width="100%" height="124" role="img" aria-label={`Mean ${mean.text}, most likely level ${mostLikely}`}>
          {columns.map((column) => (
            <ColumnBar key={column.level} column={column} count={count} strong={column.level === mostLikely} />
          ))}
          <line x1="0" x2="100%" y1={FOOT + 0.5} y2={FOOT + 0.5} className="stroke-line-strong" />
          <svg x={meanAt} y={FOOT + 2} width="1" height="12" overflow="visible" aria-hidden="true">
            <path d="M0 0 L6 10 L-6 10 Z" className="fill-ink" />
          </svg>
        </svg>
        <ol className={clsx("grid text-center text-ink-muted text-xs", LABELS[count])}>
          {columns.map(({ level, label }) => (
            <li key={level} title={label} className={clsx("min-w-0 px-0.5", level === mostLikely && "text-ink")}>
              <span className="block font-medium tabular-nums">{level}</span>
              <span className="line-clamp-2 break-words">{label}</span>
            </li>
          ))}
        </ol>
      </div>
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
      />
    </div>
  )
}
