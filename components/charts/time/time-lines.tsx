import { line } from "@visx/shape"
import { ChartFrame } from "./chart-frame"
import { Plot, xOf, type YScale } from "./plot"
import type { TimeChart } from "./time-chart"
import { FILLS, STROKES } from "./tones"

/** What stands alone has no line to be seen by. */
const isAlone = (values: readonly (number | null)[], place: number): boolean =>
  values[place] !== null && (values[place - 1] ?? null) === null && (values[place + 1] ?? null) === null

const pathOf = (values: TimeChart["layers"][number]["values"], room: number, y: YScale): string =>
  line<number | null>({
    x: (_, place) => xOf(place + 0.5, room),
    y: (value) => y(value ?? 0),
    defined: (value) => value !== null,
  })([...values]) ?? ""

/** A line for each layer, broken where there is nothing; every second is dashed, so that they differ without colour. */
export function TimeLines({ chart }: { chart: TimeChart }) {
  const highest = Math.max(0, ...chart.layers.flatMap(({ values }) => values.map((value) => value ?? 0)))
  return (
    <ChartFrame chart={chart}>
      <Plot
        chart={chart}
        highest={highest}
        shapes={(y) => ({
          paths: chart.layers.map(({ tone, values }, layer) => ({
            d: pathOf(values, chart.room, y),
            isDashed: layer % 2 === 1,
            look: STROKES[tone],
          })),
          dots: chart.layers.flatMap(({ tone, values }) =>
            values.flatMap((value, place) =>
              value !== null && isAlone(values, place)
                ? { x: `${xOf(place + 0.5, chart.room)}%`, y: y(value), look: FILLS[tone] }
                : [],
            ),
          ),
        })}
      />
    </ChartFrame>
  )
}
