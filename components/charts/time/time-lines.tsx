import { line } from "@visx/shape"
import clsx from "clsx"
import { ChartFrame } from "./chart-frame"
import { HEIGHT, Plot, xOf } from "./plot"
import type { TimeChart } from "./time-chart"
import { FILLS, STROKES } from "./tones"

/** What stands alone has no line to be seen by. */
const isAlone = (values: readonly (number | null)[], place: number): boolean =>
  values[place] !== null && (values[place - 1] ?? null) === null && (values[place + 1] ?? null) === null

/** A line for each layer, broken where there is nothing; every second is dashed, so that they differ without colour. */
export function TimeLines({ chart }: { chart: TimeChart }) {
  const highest = Math.max(0, ...chart.layers.flatMap(({ values }) => values.map((value) => value ?? 0)))
  return (
    <ChartFrame chart={chart}>
      <Plot chart={chart} highest={highest}>
        {(y) => (
          <>
            <svg
              width="100%"
              height={HEIGHT}
              viewBox={`0 0 100 ${HEIGHT}`}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              {chart.layers.map(({ name, tone, values }, layer) => (
                <path
                  key={name}
                  d={
                    line<number | null>({
                      x: (_, place) => xOf(place + 0.5, chart.room),
                      y: (value) => y(value ?? 0),
                      defined: (value) => value !== null,
                    })([...values]) ?? ""
                  }
                  fill="none"
                  strokeWidth="2"
                  strokeDasharray={layer % 2 ? "5 3" : undefined}
                  vectorEffect="non-scaling-stroke"
                  className={STROKES[tone]}
                />
              ))}
            </svg>
            {chart.layers.map(({ name, tone, values }) =>
              values.map((value, place) =>
                value !== null && isAlone(values, place) ? (
                  <circle
                    // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place
                    key={`${name} ${place}`}
                    cx={`${xOf(place + 0.5, chart.room)}%`}
                    cy={y(value)}
                    r="3"
                    className={clsx(FILLS[tone])}
                  />
                ) : null,
              ),
            )}
          </>
        )}
      </Plot>
    </ChartFrame>
  )
}
