import { scaleLinear } from "@visx/scale"
import { line, stack } from "@visx/shape"
import type { ReactNode } from "react"
import { Drawing, type Drawn } from "../drawing"
import { ChartCursor } from "./chart-cursor"
import { FILLS, STROKES, type TimeChart } from "./time-chart"

const HEIGHT_PX = 148
const TOP_PX = 8
const GRID_LINES = 3

/** A column's share of the width that its hour or day has. */
const COLUMN_WIDTH = 0.76
/** Keeps small values visible. */
const MIN_COLUMN_PX = 1.5

type YScale = (value: number) => number

/** Converts a number of columns to percent of the chart's width. */
const xOf = (column: number, columnCount: number): number => (column / columnCount) * 100

/** Stacks the layers in one column for each hour or day. */
export function TimeColumns({ chart }: { chart: TimeChart }) {
  const rows = chart.points.map((_, column) => chart.layers.map(({ values }) => values[column] ?? 0))
  const stacks = stack<number[], number>({
    keys: chart.layers.map((_, layer) => layer),
    value: (row, layer) => row[layer] ?? 0,
  })(rows)
  const highest = Math.max(0, ...rows.map((row) => row.reduce((sum, value) => sum + value, 0)))
  const columns = (y: YScale) =>
    stacks.flatMap((spans, layer) =>
      spans.flatMap(([from, to], column) =>
        to > from
          ? {
              x: `${xOf(column + (1 - COLUMN_WIDTH) / 2, chart.columnCount)}%`,
              width: `${xOf(COLUMN_WIDTH, chart.columnCount)}%`,
              y: Math.min(y(to), y(from) - MIN_COLUMN_PX),
              height: Math.max(MIN_COLUMN_PX, y(from) - y(to)),
              look: FILLS[chart.layers[layer]?.tone ?? 1],
            }
          : [],
      ),
    )
  return (
    <ChartFrame chart={chart}>
      <Plot chart={chart} highest={highest} shapes={(y) => ({ rects: columns(y) })} />
    </ChartFrame>
  )
}

/** Returns whether a value has no neighbours. It then has no line segment, so it is drawn as a dot. */
const isAlone = (values: readonly (number | null)[], column: number): boolean =>
  values[column] !== null && (values[column - 1] ?? null) === null && (values[column + 1] ?? null) === null

const pathOf = (values: TimeChart["layers"][number]["values"], columnCount: number, y: YScale): string =>
  line<number | null>({
    x: (_, column) => xOf(column + 0.5, columnCount),
    y: (value) => y(value ?? 0),
    defined: (value) => value !== null,
  })([...values]) ?? ""

/**
 * Draws a line for each layer, broken where there is no data. Every second line is dashed, so colour is not the only
 * difference.
 */
export function TimeLines({ chart }: { chart: TimeChart }) {
  const highest = Math.max(0, ...chart.layers.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const paths = (y: YScale) =>
    chart.layers.map(({ tone, values }, layer) => ({
      d: pathOf(values, chart.columnCount, y),
      isDashed: layer % 2 === 1,
      look: STROKES[tone],
    }))
  const dots = (y: YScale) =>
    chart.layers.flatMap(({ tone, values }) =>
      values.flatMap((value, column) =>
        value !== null && isAlone(values, column)
          ? { x: `${xOf(column + 0.5, chart.columnCount)}%`, y: y(value), look: FILLS[tone] }
          : [],
      ),
    )
  return (
    <ChartFrame chart={chart}>
      <Plot chart={chart} highest={highest} shapes={(y) => ({ paths: paths(y), dots: dots(y) })} />
    </ChartFrame>
  )
}

interface PlotProps {
  chart: TimeChart
  highest: number
  /** Returns what is drawn between the axes. */
  shapes: (y: YScale) => Partial<Pick<Drawn, "rects" | "paths" | "dots">>
}

/** Draws axes and grid, from zero to a round number above the highest value, around the shapes of a chart. */
function Plot({ chart, highest, shapes }: PlotProps) {
  const { columnCount } = chart
  const y = scaleLinear<number>({
    domain: [0, highest > 0 ? highest : 1],
    range: [HEIGHT_PX, TOP_PX],
    nice: GRID_LINES,
  })
  // A chart of whole numbers, such as requests by day, gets no grid line at 0.5.
  const areWhole = chart.layers.every(({ values }) => values.every((value) => Number.isInteger(value ?? 0)))
  const values = highest > 0 ? y.ticks(GRID_LINES).filter((value) => !areWhole || Number.isInteger(value)) : [0]
  const drawn: Drawn = {
    height: HEIGHT_PX,
    grid: values.map((value) => ({ y: y(value), isBase: value === 0, text: chart.formatTick(value) })),
    ticks: chart.ticks.map(({ column, text }) => ({
      x: `${xOf(column + 0.5, columnCount)}%`,
      anchor: column === 0 ? "start" : column === columnCount - 1 ? "end" : "middle",
      text,
    })),
    rects: [],
    paths: [],
    dots: [],
    ...shapes(y),
  }
  return <Drawing {...drawn} />
}

function ChartFrame({ chart, children }: { chart: TimeChart; children: ReactNode }) {
  const { title, head, layers, points, columnCount } = chart
  const names = layers.map(({ name }) => name)
  return (
    <figure className="skip-offscreen flex min-w-0 flex-col gap-3 [contain-intrinsic-height:auto_276px]">
      <figcaption className="flex flex-col gap-1">
        <h3 className="font-medium">{title}</h3>
        <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-ink-muted text-sm">
          {layers.map(({ name, tone, total }) => (
            <li key={name} className="flex min-w-0 items-center gap-1.5">
              <svg width="10" height="10" aria-hidden="true" className="shrink-0">
                <rect width="10" height="10" rx="2" className={FILLS[tone]} />
              </svg>
              <span className="max-w-56 truncate" title={name}>
                {name}
              </span>
              {total === undefined ? null : <span className="whitespace-nowrap text-ink tabular-nums">{total}</span>}
            </li>
          ))}
        </ul>
      </figcaption>
      <ChartCursor title={title} head={head} names={names} points={points} columnCount={columnCount}>
        {children}
      </ChartCursor>
    </figure>
  )
}
