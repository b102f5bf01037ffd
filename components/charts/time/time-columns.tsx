import { stack } from "@visx/shape"
import { ChartFrame } from "./chart-frame"
import { Plot, xOf } from "./plot"
import type { TimeChart } from "./time-chart"
import { FILLS } from "./tones"

/** The share of a column's room that it fills. */
const WIDTH = 0.76
/** Little is still seen. */
const LEAST_PX = 1.5

/** Layers stacked in one column for each hour or day. */
export function TimeColumns({ chart }: { chart: TimeChart }) {
  const rows = chart.points.map((_, place) => chart.layers.map(({ values }) => values[place] ?? 0))
  const stacks = stack<number[], number>({
    keys: chart.layers.map((_, layer) => layer),
    value: (row, layer) => row[layer] ?? 0,
  })(rows)
  const highest = Math.max(0, ...rows.map((row) => row.reduce((sum, value) => sum + value, 0)))
  return (
    <ChartFrame chart={chart}>
      <Plot
        chart={chart}
        highest={highest}
        shapes={(y) => ({
          rects: stacks.flatMap((spans, layer) =>
            spans.flatMap(([from, to], place) =>
              to > from
                ? {
                    x: `${xOf(place + (1 - WIDTH) / 2, chart.room)}%`,
                    width: `${xOf(WIDTH, chart.room)}%`,
                    y: Math.min(y(to), y(from) - LEAST_PX),
                    height: Math.max(LEAST_PX, y(from) - y(to)),
                    look: FILLS[chart.layers[layer]?.tone ?? 1],
                  }
                : [],
            ),
          ),
        })}
      />
    </ChartFrame>
  )
}
