import { scaleLinear } from "@visx/scale"
import { Drawing, type Drawn } from "./drawing"
import type { TimeChart } from "./time-chart"

/** The height of what is drawn, in pixels; widths are shares of the room there is. */
export const HEIGHT = 148
const TOP = 8
const TICKS = 3

export type YScale = (value: number) => number

/** From zero to a round number above the highest value. */
function yScaleOf(highest: number) {
  return scaleLinear<number>({ domain: [0, highest > 0 ? highest : 1], range: [HEIGHT, TOP], nice: TICKS })
}

/** Where a column begins, as a share of the width in percent. */
export const xOf = (place: number, room: number): number => (place / room) * 100

interface PlotProps {
  chart: TimeChart
  highest: number
  /** What stands between axes and ticks. */
  shapes: (y: YScale) => Partial<Pick<Drawn, "rects" | "paths" | "dots">>
}

/** Axes and grid around a chart's own shapes. */
export function Plot({ chart, highest, shapes }: PlotProps) {
  const y = yScaleOf(highest)
  const { room } = chart
  const values = highest > 0 ? y.ticks(TICKS) : [0]
  const drawn: Drawn = {
    height: HEIGHT,
    grid: values.map((value) => ({ y: y(value), isBase: value === 0, text: chart.formatTick(value) })),
    ticks: chart.ticks.map(({ place, text }) => ({
      x: `${xOf(place + 0.5, room)}%`,
      anchor: place === 0 ? "start" : place === room - 1 ? "end" : "middle",
      text,
    })),
    rects: [],
    paths: [],
    dots: [],
    ...shapes(y),
  }
  return <Drawing {...drawn} />
}
