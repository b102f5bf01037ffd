import type { Tone } from "./time-chart"

export const FILLS: Record<Tone, string> = {
  1: "fill-series-1",
  2: "fill-series-2",
  3: "fill-series-3",
  4: "fill-series-4",
  5: "fill-series-5",
  6: "fill-series-6",
  refused: "fill-danger-fill",
}

export const STROKES: Record<Tone, string> = {
  1: "stroke-series-1",
  2: "stroke-series-2",
  3: "stroke-series-3",
  4: "stroke-series-4",
  5: "stroke-series-5",
  6: "stroke-series-6",
  refused: "stroke-danger-fill",
}
