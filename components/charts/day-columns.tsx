import { formatDate, formatDay, formatUsd, formatUsdTick } from "@/lib/shared/format"
import type { DayBar } from "@/lib/shared/usage/prepare"
import { placeTicks } from "./time/place-ticks"
import { TimeColumns } from "./time/time-columns"

/** What each UTC day cost as columns, with the same numbers as a table. */
export function DayColumns({ days, title = "Spend by day" }: { days: readonly DayBar[]; title?: string }) {
  const chart = {
    title,
    head: "Day (UTC)",
    layers: [{ name: "Spend", tone: 1 as const, values: days.map(({ costUsd }) => Number(costUsd)) }],
    points: days.map(({ day, costUsd }) => ({ label: formatDate(new Date(day)), texts: [formatUsd(costUsd)] })),
    room: days.length,
    ticks: placeTicks(days.length, (place) => formatDay(new Date(days[place]?.day ?? 0))),
    formatTick: formatUsdTick,
  }
  return <TimeColumns chart={chart} />
}
