import { formatDate } from "@/components/ui/format-time"
import { displayUsd } from "@/lib/money"
import type { DayBar } from "@/lib/usage/prepare"

const HEIGHT = 72

const dayLabel = (day: string): string => formatDate(new Date(day))

/** What each day cost as columns. A drawing beside the table that has the same numbers. */
export function DayColumns({ days }: { days: DayBar[] }) {
  const last = days.at(-1)
  return (
    <figure>
      <svg width="100%" height={HEIGHT + 1} aria-hidden="true">
        {days.map(({ day, costUsd, part }, index) => {
          const height = part > 0 ? Math.max(2, part * HEIGHT) : 0
          return (
            <g key={day}>
              <title>{`${dayLabel(day)}: ${displayUsd(costUsd)}`}</title>
              <rect
                x={`${(index / days.length) * 100}%`}
                width={`${100 / days.length}%`}
                height={HEIGHT}
                fill="transparent"
              />
              <rect
                x={`${((index + 0.12) / days.length) * 100}%`}
                y={HEIGHT - height}
                width={`${76 / days.length}%`}
                height={height}
                className="fill-ink-muted"
              />
            </g>
          )
        })}
        <line x1="0" x2="100%" y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} className="stroke-line-strong" />
      </svg>
      <figcaption className="mt-1 flex justify-between text-ink-muted text-xs tabular-nums">
        <span>{days[0] && dayLabel(days[0].day)}</span>
        <span>{last && last !== days[0] ? dayLabel(last.day) : null}</span>
      </figcaption>
    </figure>
  )
}
