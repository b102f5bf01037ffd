import { dayOf } from "./range"
import { FindRequestInput, RangeInput, RequestsInput } from "./schema"

/** What the address of the usage page asks for. */
export type UsageSearch = RequestsInput & {
  /** The id that was searched for, as it was typed. */
  request?: string
}

/** As Next hands them over. */
export type SearchParams = Record<string, string | string[] | undefined>

const DEFAULT_DAYS = 30

/** The last UTC day that can be chosen, and that is meant where only a first one is. */
export const today = (): string => dayOf(new Date())

/** A part of an address that is nothing we know is as if it were not there. */
export function parseUsageSearch(params: SearchParams): UsageSearch {
  const text = (name: string) => {
    const value = params[name]
    return typeof value === "string" && value !== "" ? value : undefined
  }
  const dates = RangeInput.safeParse({ from: text("from"), to: text("to") ?? today() })
  const days = RangeInput.safeParse({ days: text("days") ?? DEFAULT_DAYS })
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

/** The parameters of an address as pairs; only what is not the default. */
export function usageParams({ range, keyId, model, by, result, before, request }: UsageSearch): [string, string][] {
  const days = "days" in range ? { days: range.days === DEFAULT_DAYS ? undefined : String(range.days) } : range
  const all = { ...days, key: keyId, model, by, result, before, request }
  return Object.entries(all).filter((pair): pair is [string, string] => Boolean(pair[1]))
}

/** The address of what is asked for, with some of it changed. A page of the log belongs to what was asked when it was shown. */
export function usageHref(search: UsageSearch, change: Partial<UsageSearch> = {}, path = "/usage"): string {
  const text = new URLSearchParams(
    usageParams({ ...search, before: undefined, request: undefined, ...change }),
  ).toString()
  return text === "" ? path : `${path}?${text}`
}
