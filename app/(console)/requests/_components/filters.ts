import type { RequestsInput } from "@/lib/server/usage/schema"

/** The filters in the page's address, by parameter. A filter that is not set is an empty string. */
export type Filters = Record<
  "days" | "from" | "to" | "key" | "model" | "result" | "type" | "tag" | "min_ms" | "max_ms" | "min_usd" | "max_usd",
  string
>

/** Returns what the fields show of the address. A day as the end of a range is shown as its first or last minute. */
export function filtersOf({ range, keyId, minMs, maxMs, minUsd, maxUsd, ...same }: RequestsInput): Filters {
  const { model, result, type, tag } = same
  const minute = (end: string, time: string) => (end.includes("T") ? end : `${end}T${time}`)
  const times =
    "from" in range
      ? { days: "", from: minute(range.from, "00:00"), to: minute(range.to, "23:59") }
      : { days: String(range.days), from: "", to: "" }
  const texts = { key: keyId, model, result, type, tag, min_ms: minMs, max_ms: maxMs, min_usd: minUsd, max_usd: maxUsd }
  const shown = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value ?? "")]))
  return { ...times, ...(shown as Record<keyof typeof texts, string>) }
}
