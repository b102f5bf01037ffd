import { RequestsInput, TimesInput } from "./schema"
import { nearestDays, type SearchParams, today } from "./search"

const DEFAULT_DAYS = 30

/** The parameter of each filter in the address. */
const NAMES = {
  keyId: "key",
  model: "model",
  result: "result",
  type: "type",
  tag: "tag",
  minMs: "min_ms",
  maxMs: "max_ms",
  minUsd: "min_usd",
  maxUsd: "max_usd",
  before: "before",
} as const satisfies Partial<Record<keyof RequestsInput, string>>

/** The filters that leave out requests. */
export const NO_FILTERS = {
  ...{ keyId: undefined, model: undefined, result: undefined, type: undefined, tag: undefined },
  ...{ minMs: undefined, maxMs: undefined, minUsd: undefined, maxUsd: undefined },
}

/** Returns the current UTC minute, such as `2026-11-20T09:30`. */
export const thisMinute = (): string => new Date().toISOString().slice(0, "2026-11-20T09:30".length)

/** Reads the range of days or minutes and the filters of an address. Invalid values fall back to the defaults. */
export function parseRequestsSearch(params: SearchParams): RequestsInput {
  const text = (name: string) => {
    const value = params[name]
    return typeof value === "string" && value !== "" ? value : undefined
  }
  const from = text("from")
  const times = TimesInput.safeParse({ from, to: text("to") ?? (from?.includes("T") ? thisMinute() : today()) })
  const days = TimesInput.safeParse({ days: nearestDays(text("days") ?? String(DEFAULT_DAYS)) })
  const range = times.success ? times.data : days.success ? days.data : { days: DEFAULT_DAYS }
  const search: RequestsInput = { range }
  for (const [field, name] of Object.entries(NAMES)) {
    const read = RequestsInput.safeParse({ range, [field]: text(name) })
    if (read.success) Object.assign(search, read.data)
  }
  return search
}

/** Returns the parameters that differ from the defaults. */
function requestsParams({ range, ...filters }: RequestsInput): [string, string][] {
  const days = "days" in range ? { days: range.days === DEFAULT_DAYS ? undefined : range.days } : range
  const named = Object.entries(NAMES).map(([field, name]) => [name, filters[field as keyof typeof NAMES]] as const)
  return [...Object.entries(days), ...named].flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
}

/** Returns the page's address with some filters changed. A change goes back to the first page. */
export function requestsHref(search: RequestsInput, change: Partial<RequestsInput> = {}, path = "/requests"): string {
  const text = new URLSearchParams(requestsParams({ ...search, before: undefined, ...change })).toString()
  return text === "" ? path : `${path}?${text}`
}
