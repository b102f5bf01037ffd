import type { ReactNode } from "react"
import { ChartCursor } from "./chart-cursor"
import type { TimeChart } from "./time-chart"
import { FILLS } from "./tones"

/** Title and legend of a chart over time, its drawing under a cursor that reads it out, and the same numbers as a table. */
export function ChartFrame({ chart, children }: { chart: TimeChart; children: ReactNode }) {
  const { title, head, layers, points, room } = chart
  const names = layers.map(({ name }) => name)
  return (
    <figure className="skip-offscreen flex min-w-0 flex-col gap-3 [contain-intrinsic-height:auto_276px]">
      <figcaption className="flex flex-col gap-1">
        <h3 className="font-medium">{title}</h3>
        <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-ink-muted text-sm">
          {layers.map(({ name, tone, sum }) => (
            <li key={name} className="flex min-w-0 items-center gap-1.5">
              <svg width="10" height="10" aria-hidden="true" className="shrink-0">
                <rect width="10" height="10" rx="2" className={FILLS[tone]} />
              </svg>
              <span className="max-w-56 truncate" title={name}>
                {name}
              </span>
              {sum === undefined ? null : <span className="whitespace-nowrap text-ink tabular-nums">{sum}</span>}
            </li>
          ))}
        </ul>
      </figcaption>
      <ChartCursor title={title} head={head} names={names} points={points} room={room}>
        {children}
      </ChartCursor>
    </figure>
  )
}
