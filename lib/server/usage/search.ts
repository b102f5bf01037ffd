import { dayOf } from "@/lib/shared/time"
import { MAX_DAYS, RangeInput, UsageInput } from "./schema"

export type SearchParams = Record<string, string | string[] | undefined>

const DEFAULT_DAYS = 30

/** Returns the current UTC day: the default end of a range, and the latest day that can be chosen. */
export const today = (): string => dayOf(new Date())

/** Returns a whole number out of the range as its nearest bound, and any other text unchanged. */
export const nearestDays = (text: string): string | number =>
  /^-?\d+$/.test(text) ? Math.min(MAX_DAYS, Math.max(1, Number(text))) : text

/** Invalid query values fall back to the defaults. A number of days that is out of range becomes the nearest bound. */
export function parseUsageSearch(params: SearchParams): UsageInput {
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
    tag: text("tag"),
  }
  const search: UsageInput = { range }
  for (const [name, value] of Object.entries(fields)) {
    const read = UsageInput.safeParse({ range, [name]: value })
    if (read.success) Object.assign(search, read.data)
  }
  return search
}

/** The filters that leave out requests. */
export const NO_FILTERS = { keyId: undefined, model: undefined, result: undefined, tag: undefined }

/** Returns the page's address with some parameters changed. */
export function usageHref(search: UsageInput, change: Partial<UsageInput> = {}, path = "/usage"): string {
  const { range, keyId, model, by, result, tag } = { ...search, ...change }
  const days = "days" in range ? { days: range.days === DEFAULT_DAYS ? undefined : String(range.days) } : range
  const all = { ...days, key: keyId, model, by, result, tag }
  const set = Object.entries(all).filter((pair): pair is [string, string] => Boolean(pair[1]))
  const text = new URLSearchParams(set).toString()
  return text === "" ? path : `${path}?${text}`
}

/** Returns the address of the requests that the page's figures count. */
export const requestsOf = (search: UsageInput): string => usageHref(search, { by: undefined }, "/requests")
