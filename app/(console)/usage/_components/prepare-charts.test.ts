import { expect, test } from "vitest"
import type { Usage, UsagePoint } from "@/lib/server/usage/usage"
import { prepareCharts } from "./prepare-charts"

const NOTHING = { decisions: 0, refused: 0, tokens: 0, costUsd: "0.000000000000", p50Ms: null, p95Ms: null, errors: {} }

const point = (at: string, figures: Partial<UsagePoint> = {}): UsagePoint => ({ at, ...NOTHING, ...figures })

function usageOf(points: UsagePoint[], rest: Partial<Usage> = {}): Usage {
  const { errors: _, ...total } = NOTHING
  const span = { asOf: "2026-11-20T01:30:00.000Z", firstDay: "2026-11-20", lastDay: "2026-11-20" }
  return { ...span, unit: "hour", total, points, keys: [], models: [], tags: [], errors: [], layers: [], ...rest }
}

const hours = [
  point("2026-11-20T00:00:00.000Z", { decisions: 1_200, tokens: 5, costUsd: "0.000000000001", p50Ms: 7, p95Ms: 1_234 }),
  point("2026-11-20T01:00:00.000Z", { refused: 3, errors: { rate_limited: 2, invalid_request: 1 } }),
  point("2026-11-20T02:00:00.000Z"),
]

test("future hours have space on the axis but no point", () => {
  const { spend } = prepareCharts(usageOf(hours))
  expect(spend).toMatchObject({
    title: "Spend by hour",
    head: "Hour (UTC)",
    columnCount: 3,
    layers: [{ name: "Spend", values: [1e-12, 0], total: "$0.000000000001" }],
    points: [
      { label: "20 Nov 2026, 00:00 to 01:00 UTC", texts: ["$0.000000000001"] },
      { label: "20 Nov 2026, 01:00 to 02:00 UTC", texts: ["$0.00"] },
    ],
    ticks: [
      { column: 0, text: "00:00" },
      { column: 1, text: "01:00" },
      { column: 2, text: "02:00" },
    ],
  })
})

test("answered and refused requests have a layer each, errors have one for each code, and an hour without answers has no latency", () => {
  const errors = [
    { code: "rate_limited", status: 429, requests: 2 },
    { code: "invalid_request", status: 400, requests: 1 },
  ]
  const charts = prepareCharts(usageOf(hours, { errors }))
  expect(charts.requests.points.map(({ texts }) => texts)).toEqual([
    ["1,200", "0"],
    ["0", "3"],
  ])
  expect(charts.errors.layers.map(({ name, total }) => [name, total])).toEqual([
    ["rate_limited", "2"],
    ["invalid_request", "1"],
  ])
  expect(charts.latency.layers.map(({ values }) => values)).toEqual([
    [7, null],
    [1_234, null],
  ])
  expect(charts.latency.points.map(({ texts }) => texts)).toEqual([
    ["7 ms", "1,234 ms"],
    ["–", "–"],
  ])
})

test("with more than six error codes the rest is one layer, and the total stays the same", () => {
  const codes = ["a", "b", "c", "d", "e", "f", "g"]
  const counts = Object.fromEntries(codes.map((code, index) => [code, 10 - index]))
  const errors = codes.map((code, index) => ({ code, status: 400, requests: 10 - index }))
  const usage = usageOf([point("2026-11-20T00:00:00.000Z", { refused: 49, errors: counts })], { errors })
  const { layers } = prepareCharts(usage).errors
  expect(layers.map(({ name, values }) => [name, values[0]])).toEqual([
    ["a", 10],
    ["b", 9],
    ["c", 8],
    ["d", 7],
    ["e", 6],
    ["All other codes", 9],
  ])
})

test("two keys with the same name are numbered", () => {
  const layer = { name: "Production", points: [{ decisions: 1, tokens: 2, costUsd: "0.000000000001" }] }
  const { tokens } = prepareCharts(usageOf([point("2026-11-20T00:00:00.000Z")], { layers: [layer, layer] }))
  expect(tokens.layers.map(({ name }) => name)).toEqual(["Production", "Production (2)"])
})
