import type { ReactNode } from "react"

export interface ChartProps<Chart> {
  name: string
  chart: Chart
  /** The user's thresholds for no and yes, of a type that has a band. Null: never. */
  band?: { low: number | null; high: number | null } | undefined
  /** Drawn under the chart, at its width: what the answer leads to. */
  children?: ReactNode
  /** Disclosures beside the one of the table. */
  notes?: ReactNode
}
