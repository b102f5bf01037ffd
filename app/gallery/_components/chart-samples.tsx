"use client"
import { DataTable } from "@/components/charts/data-table"
import { Exact } from "@/components/charts/exact"
import { placeTicks, type TimeChart } from "@/components/charts/time/time-chart"
import { TimeColumns, TimeLines } from "@/components/charts/time/time-charts"
import { WorkedFormula } from "@/components/charts/worked-formula"
import { Sample, Samples } from "./sample"

const DAYS = Array.from({ length: 14 }, (_, i) => `${i + 1} Nov`)
const values = (scale: number) => DAYS.map((_, i) => Math.round(scale * (2 + Math.sin(i))))

const CHART: TimeChart = {
  title: "Requests by day",
  head: "Day (UTC)",
  layers: [
    { name: "Answered", tone: 1, values: values(100), total: "2,800" },
    { name: "Refused", tone: "refused", values: values(10), total: "280" },
  ],
  points: DAYS.map((label, i) => ({ label, texts: [values(100), values(10)].map((all) => String(all[i])) })),
  columnCount: DAYS.length,
  ticks: placeTicks(DAYS.length, (column) => DAYS[column] ?? ""),
  formatTick: String,
}

export function ChartSamples() {
  return (
    <Samples title="Charts">
      <div className="grid gap-6 sm:grid-cols-2">
        <TimeColumns chart={CHART} />
        <TimeLines chart={CHART} />
      </div>
      <Sample of="DataTable, Exact, WorkedFormula">
        <DataTable
          caption="Probabilities"
          head={["Option", "Probability"]}
          rows={[{ key: "yes", name: "Yes", value: "0.9105289153401981" }]}
        >
          <WorkedFormula
            title="How the confidence is computed"
            formula="confidence = 1 − H(p) ÷ H(uniform)"
            steps={["1 − 0.436 ÷ 1", "0.564"]}
            meaning="0 is an even split, 1 is all on one answer."
          />
        </DataTable>
        <Exact text="91.1%" exact="0.9105289153401981" />
      </Sample>
    </Samples>
  )
}
