import { DAY_MS } from "@/lib/shared/time"

/** Replaces the current date in prompts, so that they stay equal. It is the date that templates of Llama 3.x have by default. */
export const FIXED_DATE = "26 Jul 2024"

const FIXED_PARTS: Record<string, string> = {
  "%Y": "2024",
  "%m": "07",
  "%b": "Jul",
  "%B": "July",
  "%d": "26",
  "%H": "00",
  "%M": "00",
  "%%": "%",
}

/** Formats the fixed date at midnight, as `strftime_now` of a chat template formats the current one. */
export const fixedTime = (format: string): string => format.replace(/%[YmbBdHM%]/g, (part) => FIXED_PARTS[part] ?? part)

function patternOf(date: Date): RegExp {
  const name = date.toLocaleString("en", { month: "long", timeZone: "UTC" })
  const day = `0?${date.getUTCDate()}`
  const month = `(?:0?${date.getUTCMonth() + 1}|${name.slice(0, 3)}(?:${name.slice(3)})?)`
  const year = date.getUTCFullYear()
  const orders = [
    [day, month, year],
    [month, day, year],
    [year, month, day],
  ].map((parts) => parts.join("[^A-Za-z0-9]{1,3}"))
  return new RegExp(`(?<!\\d)(?:${orders.join("|")})(?!\\d)`, "i")
}

/** Returns whether a text contains the current date in some time zone. */
export const hasCurrentDate = (text: string, now = Date.now()): boolean =>
  [-DAY_MS, 0, DAY_MS].some((ms) => patternOf(new Date(now + ms)).test(text))
