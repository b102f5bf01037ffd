import { formatDate, formatDay } from "@/components/ui/format-time"
import { displayUsd } from "@/lib/shared/money"
import type { DayBar } from "@/lib/shared/usage/prepare"
import { formatUsdTick } from "./time/format-tick"
import { placeTicks } from "./time/place-ticks"
import { TimeColumns } from "./time/time-columns"

/** What each UTC day cost as columns, with the same numbers as a table. */
export function DayColumns({ days, title = "Spend by day" }: { days: readonly DayBar[]; title?: string }) {
  const chart = {
    title,
    head: "Day (UTC)",
    layers: [{ name: "Spend", tone: 1 as const, values: days.map(({ costUsd }) => Number(costUsd)) }],
    points: days.map(({ day, costUsd }) => ({ label: formatDate(new Date(day)), texts: [displayUsd(costUsd)] })),
    room: days.length,
    ticks: placeTicks(days.length, (place) => formatDay(new Date(days[place]?.day ?? 0))),
    formatTick: formatUsdTick,
  }
  return <TimeColumns chart={chart} />
}
