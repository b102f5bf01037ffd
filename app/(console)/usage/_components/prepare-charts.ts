import { placeTicks, type TimeChart, type TimeLayer, type Tone } from "@/components/charts/time/time-chart"
import type { Usage, UsagePoint } from "@/lib/server/usage/usage"
import {
  formatCount,
  formatCountTick,
  formatDate,
  formatDateTime,
  formatDay,
  formatHour,
  formatMs,
  formatMsTick,
  formatUsd,
  formatUsdTick,
} from "@/lib/shared/format"
import { parseUsd, pico } from "@/lib/shared/money"
import { HOUR_MS } from "@/lib/shared/time"

type Frame = Pick<TimeChart, "head" | "ticks" | "columnCount"> & { labels: string[] }
type Points = Usage["layers"][number]["points"]

interface Layer extends TimeLayer {
  texts: readonly string[]
}

/** If more than one code remains after this many, the remaining codes are combined in one layer. */
const MAX_CODES = 5

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
const toneOf = (index: number): Tone => ([1, 2, 3, 4, 5, 6] as const)[Math.min(index, 5)] ?? 6

/** Formats an hour: "29 Nov 2026, 14:00 to 15:00 UTC". */
const hourLabel = (at: Date): string => `${formatDateTime(at)} to ${formatHour(new Date(at.getTime() + HOUR_MS))} UTC`

function frameOf({ unit, points }: Usage, known: number): Frame {
  const moments = points.map(({ at }) => new Date(at))
  const isHour = unit === "hour"
  return {
    head: isHour ? "Hour (UTC)" : "Day (UTC)",
    labels: moments.slice(0, known).map(isHour ? hourLabel : formatDate),
    columnCount: moments.length,
    ticks: placeTicks(moments.length, (column) => (isHour ? formatHour : formatDay)(moments[column] ?? new Date(0))),
  }
}

const chartOf = ({ labels, ...frame }: Frame, title: string, layers: Layer[], formatTick: TimeChart["formatTick"]) => ({
  ...frame,
  title,
  formatTick,
  layers: layers.map(({ texts: _, ...layer }) => layer),
  points: labels.map((label, column) => ({ label, texts: layers.map(({ texts }) => texts[column] ?? "") })),
})

/** Numbers repeated names, because two keys may have the same name. */
function uniqueNames(names: readonly string[]): string[] {
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((other) => other === name).length
    return before > 0 ? `${name} (${before + 1})` : name
  })
}

/** Returns one layer for all requests, or one for each key or model. */
function layersOf(usage: Usage, name: string, pick: (points: Points) => Omit<Layer, "name" | "tone">): Layer[] {
  if (usage.layers.length === 0) return [{ name, tone: "accent", ...pick(usage.points) }]
  const names = uniqueNames(usage.layers.map((layer) => layer.name))
  return usage.layers.map(({ points }, index) => ({ name: names[index] ?? "", tone: toneOf(index), ...pick(points) }))
}

const spendOf = (points: Points) => ({
  values: points.map(({ costUsd }) => Number(costUsd)),
  texts: points.map(({ costUsd }) => formatUsd(costUsd)),
  total: formatUsd(pico(points.reduce((sum, { costUsd }) => sum + (parseUsd(costUsd) ?? 0n), 0n))),
})

const countsOf = (values: number[]) => ({
  values,
  texts: values.map((value) => formatCount(value)),
  total: formatCount(sumOf(values)),
})

/** Returns one layer for each of the most frequent error codes, and one for all other codes. */
function errorLayers({ errors, points }: Usage): Layer[] {
  const codes = [...new Set(errors.map(({ code }) => code))]
  const named = codes.slice(0, codes.length > MAX_CODES + 1 ? MAX_CODES : undefined)
  const ofCode = (point: UsagePoint, code: string) => point.errors[code] ?? 0
  const layers = named.map((code, index) => ({
    name: code,
    tone: toneOf(index),
    ...countsOf(points.map((point) => ofCode(point, code))),
  }))
  const others = points.map((point) => point.refused - sumOf(named.map((code) => ofCode(point, code))))
  return sumOf(others) > 0 ? [...layers, { name: "All other codes", tone: 6, ...countsOf(others) }] : layers
}

/** Counts the hours or days that have begun. Later ones have no data yet. */
const countBegun = ({ points, asOf }: Usage): number =>
  1 + points.findLastIndex(({ at, decisions, refused }) => at <= asOf || decisions + refused > 0)

const untilNow = (usage: Usage, known: number): Usage => ({
  ...usage,
  points: usage.points.slice(0, known),
  layers: usage.layers.map(({ name, points }) => ({ name, points: points.slice(0, known) })),
})

export function prepareCharts(whole: Usage) {
  const known = countBegun(whole)
  const frame = frameOf(whole, known)
  const usage = untilNow(whole, known)
  const { points, total, layers, unit } = usage
  const answered = layersOf(usage, "Answered", (of) => countsOf(of.map(({ decisions }) => decisions)))
  const refused: Layer = { name: "Not answered", tone: "refused", ...countsOf(points.map((point) => point.refused)) }
  const latency = (
    name: string,
    tone: Tone,
    pick: (of: { p50Ms: number | null; p95Ms: number | null }) => number | null,
  ) => ({
    name,
    tone,
    values: points.map(pick),
    texts: points.map((point) => formatMs(pick(point))),
    total: formatMs(pick(total)),
  })
  const chart = (title: string, parts: Layer[], formatTick: TimeChart["formatTick"]): TimeChart =>
    chartOf(frame, `${title} by ${unit}`, parts, formatTick)
  return {
    spend: chart("Spend", layersOf(usage, "Spend", spendOf), formatUsdTick),
    requests: chart("Requests", layers.length > 0 ? answered : [...answered, refused], formatCountTick),
    tokens: chart(
      "Tokens",
      layersOf(usage, "Tokens", (of) => countsOf(of.map(({ tokens }) => tokens))),
      formatCountTick,
    ),
    errors: chart("Errors", errorLayers(usage), formatCountTick),
    latency: chart(
      "Latency",
      [latency("Median", 1, ({ p50Ms }) => p50Ms), latency("95th percentile", 3, ({ p95Ms }) => p95Ms)],
      formatMsTick,
    ),
  }
}
