import { dayOf } from "@/lib/shared/time"
import { FindRequestInput, MAX_DAYS, RangeInput, RequestsInput } from "./schema"

export type UsageSearch = RequestsInput & {
  request?: string
}

export type SearchParams = Record<string, string | string[] | undefined>

const DEFAULT_DAYS = 30

/** Returns the current UTC day: the default end of a range, and the latest day that can be chosen. */
export const today = (): string => dayOf(new Date())

/** Returns a whole number out of the range as its nearest bound, and any other text unchanged. */
const nearestDays = (text: string): string | number =>
  /^-?\d+$/.test(text) ? Math.min(MAX_DAYS, Math.max(1, Number(text))) : text

/** Invalid query values fall back to the defaults. A number of days that is out of range becomes the nearest bound. */
export function parseUsageSearch(params: SearchParams): UsageSearch {
  const text = (name: string) => {
    const value = params[name]
    return typeof value === "string" && value !== "" ? value : undefined
  }
  const dates = RangeInput.safeParse({ from: text("from"), to: text("to") ?? today() })
  const days = RangeInput.safeParse({ days: nearestDays(text("days") ?? String(DEFAULT_DAYS)) })
  const range = dates.success ? dates.data : days.success ? days.data : { days: DEFAULT_DAYS }
  const fields = {
    keyId: text("key"),
    model: text("model"),
    by: text("by"),
    result: text("result"),
    before: text("before"),
  }
  const search: UsageSearch = { range }
  for (const [name, value] of Object.entries(fields)) {
    const read = RequestsInput.safeParse({ range, [name]: value })
    if (read.success) Object.assign(search, read.data)
  }
  const request = FindRequestInput.safeParse({ id: text("request") })
  return request.success ? { ...search, request: request.data.id } : search
}

/** Returns the parameters that differ from the defaults. */
export function usageParams({ range, keyId, model, by, result, before, request }: UsageSearch): [string, string][] {
  const days = "days" in range ? { days: range.days === DEFAULT_DAYS ? undefined : String(range.days) } : range
  const all = { ...days, key: keyId, model, by, result, before, request }
  return Object.entries(all).filter((pair): pair is [string, string] => Boolean(pair[1]))
}

/** Returns the page's address with some parameters changed. A change goes back to the first page of the log. */
export function usageHref(search: UsageSearch, change: Partial<UsageSearch> = {}, path = "/usage"): string {
  const text = new URLSearchParams(
    usageParams({ ...search, before: undefined, request: undefined, ...change }),
  ).toString()
  return text === "" ? path : `${path}?${text}`
}
