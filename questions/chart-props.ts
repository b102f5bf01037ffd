import type { ReactNode } from "react"

export interface ChartProps<Chart> {
  name: string
  chart: Chart
  /** Drawn under the chart, at its width: what the answer leads to. */
  children?: ReactNode
  /** Disclosures beside the one of the table. */
  notes?: ReactNode
}
