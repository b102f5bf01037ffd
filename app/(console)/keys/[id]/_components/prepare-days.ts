import { parseUsd, pico, usd12 } from "@/lib/shared/money"
import { DAY_MS, dayOf } from "@/lib/shared/time"

export interface DayBar {
  /** A UTC day, such as 2026-11-20. */
  day: string
  costUsd: string
}

/** Returns one bar for each UTC day of the range, including days without a charge. Costs are exact USD text. */
export function prepareDays(rows: { day: string; costUsd: string }[], firstDay: string, lastDay: string): DayBar[] {
  const spent = new Map<string, bigint>()
  for (const { day, costUsd } of rows) spent.set(day, (spent.get(day) ?? 0n) + (parseUsd(costUsd) ?? 0n))
  const bars: DayBar[] = []
  for (let at = Date.parse(firstDay); at <= Date.parse(lastDay); at += DAY_MS) {
    const day = dayOf(new Date(at))
    bars.push({ day, costUsd: usd12(pico(spent.get(day) ?? 0n)) })
  }
  return bars
}
